import { FormButton } from '../buttons.js';
import type { Newest } from '../overview.js';
import type { TravelRuleView, VaspView } from '../overviewOfCounterparties.js';
import { Actions, Section, Short, State, Table, Time } from '../widgets.js';
import { useWorld } from '../world.js';
import { IncomingMessage } from './incomingMessage.js';

/** What the other VASP can do, by control. */
const ANSWERS: Record<string, { label: string; takesReason?: boolean }> = {
  accept: { label: 'Accept it', takesReason: true },
  claim: { label: 'Claim the address', takesReason: true },
  verify: { label: 'Verify the data', takesReason: true },
  deny: { label: 'Deny it', takesReason: true },
  reject: { label: 'Reject: not our address', takesReason: true },
  incomplete: { label: 'Ask for more data', takesReason: true },
  unknown: { label: 'Answer what means nothing', takesReason: true },
  cancel: { label: 'Withdraw it', takesReason: true },
  complete: { label: 'Give the missing data' },
  silent: { label: 'Do nothing more by itself' },
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
      empty="No message yet. Those of yours come with sendPii; another VASP can send one here."
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
  const { act } = useWorld();
  const { id, transactionType, status, amount, originAddress, destinationAddress, createDate } = message;
  const { vasp, reason, behaviour, controls } = message;
  const outbound = transactionType === 'OUTBOUND';
  const who = vasp ?? 'The other VASP';
  const options = Object.entries(ANSWERS).filter(([verb]) => controls.includes(verb));
  return (
    <tr>
      <td>
        <div>{outbound ? `out, to ${vasp ?? 'nobody known'}` : `in, from ${vasp}`}</div>
        <Short text={id} />
        <small>
          <Time at={createDate} />
        </small>
      </td>
      <td data-label="Status">
        <State state={status} />
        {outbound && options.length > 0 && <small>by itself: {behaviour}</small>}
        {reason && <small>{reason}</small>}
      </td>
      <td data-label="Amount">{amount}</td>
      <td data-label="From, to">
        {originAddress ? <Short text={originAddress} /> : 'unknown'}
        {' → '}
        <Short text={destinationAddress} />
      </td>
      <Actions>
        {options.length > 0 && (
          <FormButton
            main
            label={`Answer message ${id}`}
            title={`What ${who} does`}
            submit="Do it"
            fields={[
              {
                name: 'verb',
                label: 'What it does',
                options: options.map(([value, { label }]) => ({ value, label })),
              },
              { name: 'reason', label: 'Reason', required: false },
            ]}
            run={({ verb = '', reason: why }) =>
              act(
                `${who}: ${verb}`,
                'POST',
                `/travelRule/${id}/${verb}`,
                why && ANSWERS[verb]?.takesReason ? { reason: why } : {},
              )
            }
          >
            {outbound ? 'Answer' : 'Change'}
          </FormButton>
        )}
      </Actions>
    </tr>
  );
}
