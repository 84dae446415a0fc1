import { ActionButton, FormButton } from '../buttons.js';
import type { RampControl, RampSessionView } from '../counterpartyViews.js';
import { useWorld } from '../world.js';

interface RampAction {
  control: RampControl;
  text: string;
  doneMessage: string;
  /** Path below that of the session. */
  path: string;
  body?: object;
}

const KYC: readonly RampAction[] = [
  {
    control: 'submit',
    text: 'Submit identity',
    doneMessage: 'Identity submitted',
    path: 'kyc',
    body: { step: 'submit' },
  },
  {
    control: 'approve',
    text: 'Approve identity',
    doneMessage: 'Identity approved',
    path: 'kyc',
    body: { step: 'approve' },
  },
  {
    control: 'reject',
    text: 'Reject identity',
    doneMessage: 'Identity rejected',
    path: 'kyc',
    body: { step: 'reject' },
  },
];
const ENDS: readonly RampAction[] = [
  { control: 'complete', text: 'Complete', doneMessage: 'The partner pays out', path: 'complete' },
  { control: 'fail', text: 'Fail', doneMessage: 'Session failed', path: 'fail' },
  { control: 'expire', text: 'Expire', doneMessage: 'Session expired', path: 'expire' },
];

export function RampActions({ session }: { session: RampSessionView }) {
  const { runControl } = useWorld();
  const { id, rampType, controls, deposit, depositAddress } = session;
  const path = `/ramp/sessions/${id}`;
  const actionButton = ({ control, text, doneMessage, path: actionPath, body }: RampAction) =>
    controls.includes(control) && (
      <ActionButton
        key={control}
        main={control === 'complete'}
        label={`${text}: session ${id}`}
        run={() => runControl(doneMessage, 'POST', `${path}/${actionPath}`, body)}
      >
        {text}
      </ActionButton>
    );
  return (
    <>
      {controls.includes('deposit') && (
        <FormButton
          main
          label={`Deposit: session ${id}`}
          title="The customer pays"
          description={
            rampType === 'SELL' ? `USDC from an external address, to ${depositAddress}` : 'Fiat, by bank or card.'
          }
          submit="Pay"
          fields={[{ name: 'amount', label: `Amount in ${deposit.unit}`, value: deposit.amount, inputMode: 'decimal' }]}
          run={({ amount }) => runControl('Deposit sent', 'POST', `${path}/deposit`, { amount })}
        >
          Deposit
        </FormButton>
      )}
      {KYC.map(actionButton)}
      {ENDS.map(actionButton)}
    </>
  );
}
