import { condition } from '@temporalio/workflow';
import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { Person } from '../../../src/domain/person';
import { runFlow } from '../../../workflows/kit/runFlow';

export interface ErrandResult {
  deviceId: string;
  codes: number[];
  by?: Person;
}

/** A flow that does nothing but listen to people: asks for a device, hears of client errors until one says 155701. */
export async function errand(start: FlowStart<object>): Promise<Outcome<ErrandResult>> {
  return runFlow(start, async (flow) => {
    const { deviceId } = await flow.step('device', () =>
      flow.given('deviceId', {
        effect: 'begins the errand',
        check: (data) => (data.deviceId === 'stolen' ? 'deviceId: is stolen; give another' : undefined),
      }),
    );
    const codes: number[] = [];
    let by: Person | undefined;
    flow.provides('clientError', {
      effect: 'is remembered',
      wanted: () => codes.length < 3,
      take: ({ code }, from) => {
        codes.push(code);
        by = from;
      },
    });
    await flow.step('errors', () => condition(() => codes.includes(155701)));
    return { deviceId, codes, by };
  });
}
