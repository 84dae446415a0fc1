import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { Person } from '../../../src/domain/person';
import { runFlow } from '../../../workflows/kit/runFlow';

export interface ErrandResult {
  deviceId?: string;
  codes: number[];
  by?: Person;
}

/** A flow that does nothing but listen to people: asks for a device, then hears of client errors until one says 155701. */
export async function errand(start: FlowStart<object>): Promise<Outcome<ErrandResult>> {
  return runFlow(start, async (flow) => {
    const result: ErrandResult = { codes: [] };
    flow.provides('deviceId', {
      effect: 'begins the errand',
      wanted: () => result.deviceId === undefined,
      check: ({ deviceId }) => (deviceId === 'stolen' ? 'deviceId: is stolen; give another' : undefined),
      take: ({ deviceId }) => void (result.deviceId = deviceId),
    });
    await flow.step('device', () => condition(() => result.deviceId !== undefined));
    flow.provides('clientError', {
      effect: 'is remembered',
      wanted: () => true,
      take({ code }, by) {
        result.codes.push(code);
        result.by = by;
      },
    });
    await flow.step('errors', () => condition(() => result.codes.includes(155701)));
    return result;
  });
}

/** A flow that asks a question which is open for so long. */
export async function briefQuestion(start: FlowStart<{ openMs: number }>): Promise<Outcome<{ choice: string }>> {
  const attention = {
    name: 'Question',
    reason: 'a question',
    remedy: 'answer it',
    options: [{ choice: 'yes', effect: 'counts' }],
  };
  return runFlow(start, (flow) =>
    flow.step('ask', async () => {
      try {
        return {
          choice: await CancellationScope.withTimeout(start.input.openMs, () => flow.attention(attention)),
        };
      } catch (error) {
        if (!isCancellation(error)) throw error;
        return { choice: 'none' };
      }
    }),
  );
}
