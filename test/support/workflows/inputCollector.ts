import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { Actor } from '../../../src/domain/actor';
import { option } from '../../../src/domain/attention';
import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import { runFlow } from '../../../workflows/kit/runFlow';

export interface CollectedInput {
  deviceId?: string;
  codes: number[];
  by?: Actor;
}

/** A flow that only takes input: it requests a device, then client errors until one has code 155701. */
export async function inputCollector(start: FlowStart<object>): Promise<Outcome<CollectedInput>> {
  return runFlow(start, async (flow) => {
    const result: CollectedInput = { codes: [] };
    flow.accepts('deviceId', {
      effect: 'starts the collection',
      isOpen: () => result.deviceId === undefined,
      check: ({ deviceId }) => (deviceId === 'stolen' ? 'deviceId: is stolen; give another' : undefined),
      apply: ({ deviceId }) => void (result.deviceId = deviceId),
    });
    await flow.step('device', () => condition(() => result.deviceId !== undefined));
    flow.accepts('clientError', {
      effect: 'is remembered',
      isOpen: () => true,
      apply({ code }, by) {
        result.codes.push(code);
        result.by = by;
      },
    });
    await flow.step('errors', () => condition(() => result.codes.includes(155701)));
    return result;
  });
}

/** A flow that waits `openMs` milliseconds for a decision. */
export async function briefAttention(start: FlowStart<{ openMs: number }>): Promise<Outcome<{ choice: string }>> {
  const attention = {
    name: 'Question',
    reason: 'a question',
    remedy: 'answer it',
    options: [option('yes', 'counts')],
  };
  return runFlow(start, (flow) =>
    flow.step('ask', async () => {
      try {
        return {
          choice: await CancellationScope.withTimeout(start.input.openMs, () => flow.awaitDecision(attention)),
        };
      } catch (error) {
        if (!isCancellation(error)) throw error;
        return { choice: 'none' };
      }
    }),
  );
}
