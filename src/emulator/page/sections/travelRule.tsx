import { FormButton } from '../buttons.js';
import type { TravelRuleView, VaspView } from '../counterpartyViews.js';
import type { Newest } from '../overview.js';
import { Actions, Section, State, Table, Time, Truncated } from '../widgets.js';
import { useWorld } from '../world.js';
import { IncomingMessage } from './incomingMessage.js';

/** Actions of the other VASP, by control. */
const COUNTERPARTY_ACTIONS: Record<string, { label: string; takesReason?: boolean }> = {
  accept: { label: 'Accept it', takesReason: true },
  claim: { label: 'Claim the address', takesReason: true },
  verify: { label: 'Verify the data', takesReason: true },
  deny: { label: 'Deny it', takesReason: true },
  reject: { label: 'Reject: not our address', takesReason: true },
  incomplete: { label: 'Ask for more data', takesReason: true },
  unknown: { label: 'Respond with an unknown status', takesReason: true },
  cancel: { label: 'Withdraw it', takesReason: true },
  complete: { label: 'Send the missing data' },
  silent: { label: 'Take no further action' },
};

export function TravelRule({
  messages: { shown, count },
  vasps,
}: {
  messages: Newest<TravelRuleView>;
  vasps: readonly VaspView[];
}) {
  return (
    <Section
      id="travelRule"
      title="Travel rule"
      count={count}
      empty="No message yet. sendPii sends messages, and here another VASP can send one to you."
      aside={<IncomingMessage vasps={vasps} />}
    >
      <Table columns={['Message', 'Status', 'Amount', 'From, to']} shown={shown.length} count={count}>
        {shown.map((message) => (
          <Row key={message.id} message={message} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ message }: { message: TravelRuleView }) {
  const { runControl } = useWorld();
  const { id, transactionType, status, amount, originAddress, destinationAddress, createDate } = message;
  const { vasp, reason, behaviour, controls } = message;
  const outbound = transactionType === 'OUTBOUND';
  const counterparty = vasp ?? 'The other VASP';
  const options = Object.entries(COUNTERPARTY_ACTIONS).filter(([verb]) => controls.includes(verb));
  return (
    <tr>
      <td>
        <div>{outbound ? `out, to ${vasp ?? 'an unknown VASP'}` : `in, from ${vasp}`}</div>
        <Truncated text={id} />
        <small>
          <Time at={createDate} />
        </small>
      </td>
      <td data-label="Status">
        <State state={status} />
        {outbound && options.length > 0 && <small>automatic: {behaviour}</small>}
        {reason && <small>{reason}</small>}
      </td>
      <td data-label="Amount">{amount}</td>
      <td data-label="From, to">
        {originAddress ? <Truncated text={originAddress} /> : 'unknown'}
        {' → '}
        <Truncated text={destinationAddress} />
      </td>
      <Actions>
        {options.length > 0 && (
          <FormButton
            main
            label={`${outbound ? 'Respond to' : 'Change'} message ${id}`}
            title={`What ${counterparty} does`}
            submit="Apply"
            fields={[
              {
                name: 'verb',
                label: 'Action',
                options: options.map(([value, { label }]) => ({ value, label })),
              },
              { name: 'reason', label: 'Reason', required: false },
            ]}
            run={({ verb = '', reason: newReason }) =>
              runControl(
                `${counterparty}: ${verb}`,
                'POST',
                `/travelRule/${id}/${verb}`,
                newReason && COUNTERPARTY_ACTIONS[verb]?.takesReason ? { reason: newReason } : {},
              )
            }
          >
            {outbound ? 'Respond' : 'Change'}
          </FormButton>
        )}
      </Actions>
    </tr>
  );
}
