import { workflowId } from '../src/domain/flowId';
import { SIGNALS } from '../src/domain/messages';
import { forEach } from './forEach';
import type { BenchStack } from './stack';

/** How many times the histories of transfers say that the state of a transaction has changed. */
export async function signalsOf({ flows, entity }: BenchStack, refs: readonly string[]): Promise<number> {
  let signals = 0;
  await forEach(refs, async (ref) => {
    const id = workflowId({ entity: entity.name, flow: 'transfer', ref });
    const { events } = await flows.client.workflow.getHandle(id).fetchHistory();
    for (const { workflowExecutionSignaledEventAttributes: signal } of events ?? [])
      if (signal?.signalName === SIGNALS.stateChanged) signals++;
  });
  return signals;
}
