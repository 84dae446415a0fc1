import { applyEdits, type Edit, type Node, parseTree } from 'jsonc-parser';
import type { FlowEnded, FlowEvent } from '../../domain/flowEvent';
import type { HeldEvent } from '../../domain/heldEvents';
import { withoutScreening } from '../../domain/outcome';

/** The member of a transaction that holds its screening. */
const EVALUATION = 'transactionScreeningEvaluation';
const WITHHELD = '"withheld"';

/**
 * An entry as a terminal may show it: without the result of a screening, which its readers could pass on to the person
 * concerned (docs/security.md#where-screening-results-go). The list keeps it.
 */
export function shownEntry({ payload, ...entry }: HeldEvent): HeldEvent {
  return { ...entry, payload: typeof payload === 'string' ? shownText(payload) : shownEvent(payload) };
}

/** Changes nothing else of the text, such as the notation of numbers. */
function shownText(text: string): string {
  const root = parseTree(text, [], { disallowComments: true });
  return root ? applyEdits(text, evaluationsIn(root)) : text;
}

function evaluationsIn(node: Node): Edit[] {
  const [name, value] = node.type === 'property' ? (node.children ?? []) : [];
  if (name?.value === EVALUATION && value) {
    return [{ offset: value.offset, length: value.length, content: WITHHELD }];
  }
  return (node.children ?? []).flatMap(evaluationsIn);
}

function shownEvent(payload: unknown): unknown {
  const event = payload as FlowEvent | null;
  return event?.type === 'ended' ? { ...event, data: withoutScreening(event.data as FlowEnded) } : payload;
}
