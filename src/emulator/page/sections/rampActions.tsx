import { ActionButton, FormButton } from '../buttons.js';
import type { RampControl, RampSessionView } from '../overviewOfCounterparties.js';
import { useWorld } from '../world.js';

interface Step {
  control: RampControl;
  text: string;
  done: string;
  /** Below the session; the body goes with it. */
  path: string;
  body?: object;
}

const KYC: readonly Step[] = [
  {
    control: 'submit',
    text: 'Submit identity',
    done: 'The customer has submitted',
    path: 'kyc',
    body: { step: 'submit' },
  },
  {
    control: 'approve',
    text: 'Approve identity',
    done: 'The identity is approved',
    path: 'kyc',
    body: { step: 'approve' },
  },
  {
    control: 'reject',
    text: 'Reject identity',
    done: 'The identity is rejected',
    path: 'kyc',
    body: { step: 'reject' },
  },
];
const ENDS: readonly Step[] = [
  { control: 'complete', text: 'Complete', done: 'The partner pays', path: 'complete' },
  { control: 'fail', text: 'Fail', done: 'The session has failed', path: 'fail' },
  { control: 'expire', text: 'Expire', done: 'The session is over', path: 'expire' },
];

export function RampActions({ session }: { session: RampSessionView }) {
  const { act } = useWorld();
  const { id, rampType, controls, deposit, depositAddress } = session;
  const path = `/ramp/sessions/${id}`;
  const step = ({ control, text, done, path: end, body }: Step) =>
    controls.includes(control) && (
      <ActionButton
        key={control}
        main={control === 'complete'}
        label={`${text}: session ${id}`}
        run={() => act(done, 'POST', `${path}/${end}`, body)}
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
          about={rampType === 'SELL' ? `USDC from outside, to ${depositAddress}` : 'Fiat, by bank or card.'}
          submit="Pay"
          fields={[{ name: 'amount', label: `Amount in ${deposit.unit}`, value: deposit.amount, inputMode: 'decimal' }]}
          run={({ amount }) => act('The customer has paid', 'POST', `${path}/deposit`, { amount })}
        >
          Deposit
        </FormButton>
      )}
      {KYC.map(step)}
      {ENDS.map(step)}
    </>
  );
}
