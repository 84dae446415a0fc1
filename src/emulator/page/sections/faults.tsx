import { ActionButton, FormButton } from '../buttons.js';
import type { Overview } from '../overview.js';
import { Section } from '../widgets.js';
import { useWorld } from '../world.js';

/** Common faults, each with its action in the control API. */
const KINDS: readonly { value: string; label: string; action: object }[] = [
  {
    value: 'lost-reply',
    label: 'Lost reply: the request is executed, then the connection breaks',
    action: { drop: 'after' },
  },
  { value: 'lost-request', label: 'Lost request: nothing is executed', action: { drop: 'before' } },
  { value: 'error-500', label: 'Status 500, request not executed', action: { status: 500 } },
  {
    value: 'error-500-after',
    label: 'Status 500, although the request was executed',
    action: { status: 500, when: 'after' },
  },
  { value: 'limit', label: 'Status 429', action: { status: 429 } },
  { value: 'slow', label: 'Response delayed by five seconds', action: { delayMs: 5_000 } },
  { value: 'html', label: 'An HTML page', action: { html: true } },
];

export function Faults({ faults }: { faults: Overview['faults'] }) {
  const { runControl } = useWorld();
  const add = (
    <FormButton
      title="Add a fault"
      submit="Add"
      fields={[
        {
          name: 'operation',
          label: 'Operation',
          required: false,
          hint: 'Such as createTransfer. Leave empty for all operations.',
        },
        { name: 'kind', label: 'What happens', options: KINDS },
        { name: 'count', label: 'Count', value: '1', inputMode: 'numeric', hint: 'Number of affected requests.' },
      ]}
      run={({ operation, kind, count }) =>
        runControl('Fault added', 'POST', '/faults', {
          ...(operation && { operation }),
          count: Number(count),
          action: KINDS.find(({ value }) => value === kind)?.action,
        })
      }
    >
      Add a fault
    </FormButton>
  );
  return (
    <Section id="faults" title="Faults" count={faults.length} empty="No faults." aside={add}>
      <ul class="list">
        {faults.map(({ id, struck, operation, action }) => (
          <li key={id}>
            <span>
              {operation ?? 'any request'}: <code>{JSON.stringify(action)}</code>, applied {struck} times
            </span>
            <ActionButton
              label={`Remove the fault of ${operation ?? 'any request'}`}
              run={() => runControl('Fault removed', 'DELETE', `/faults/${id}`)}
            >
              Remove
            </ActionButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}
