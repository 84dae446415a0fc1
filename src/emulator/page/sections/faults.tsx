import type { Overview } from '../overview.js';
import { ActionButton, FormButton } from '../buttons.js';
import { Section } from '../widgets.js';
import { useWorld } from '../world.js';

/** What goes wrong most, each an action of the control API. */
const KINDS: readonly { value: string; label: string; action: object }[] = [
  { value: 'lost-reply', label: 'The reply is lost: carried out, connection broken', action: { drop: 'after' } },
  { value: 'lost-request', label: 'The request is lost: nothing is done', action: { drop: 'before' } },
  { value: 'error-500', label: 'Status 500, nothing is done', action: { status: 500 } },
  {
    value: 'error-500-after',
    label: 'Status 500, although it was carried out',
    action: { status: 500, when: 'after' },
  },
  { value: 'limit', label: 'Status 429', action: { status: 429 } },
  { value: 'slow', label: 'Five seconds late', action: { delayMs: 5_000 } },
  { value: 'html', label: 'A page of HTML', action: { html: true } },
];

export function Faults({ faults }: { faults: Overview['faults'] }) {
  const { act } = useWorld();
  const add = (
    <FormButton
      title="Something goes wrong"
      submit="Add"
      fields={[
        {
          name: 'operation',
          label: 'Operation',
          required: false,
          hint: 'Such as createTransfer; all where it is left out.',
        },
        { name: 'kind', label: 'What happens', options: KINDS },
        { name: 'count', label: 'How often', value: '1', inputMode: 'numeric', hint: 'Requests that are struck.' },
      ]}
      run={({ operation, kind, count }) =>
        act('The fault waits for its requests', 'POST', '/faults', {
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
    <Section id="faults" title="Faults" count={faults.length} empty="Everything works." aside={add}>
      <ul class="list">
        {faults.map(({ id, struck, operation, action }) => (
          <li key={id}>
            <span>
              {operation ?? 'any request'}: <code>{JSON.stringify(action)}</code>, struck {struck} times
            </span>
            <ActionButton
              label={`Remove the fault of ${operation ?? 'any request'}`}
              run={() => act('The fault is gone', 'DELETE', `/faults/${id}`)}
            >
              Remove
            </ActionButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}
