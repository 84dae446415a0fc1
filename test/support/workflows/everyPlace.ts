import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';

export interface EveryPlaceActivities {
  /** Fails once after a heartbeat. @returns the value and the details of the heartbeat */
  beat(value: string): Promise<{ value: string; heartbeat: unknown }>;
  /** Fails with the value as its detail. */
  fail(value: string): Promise<never>;
  /** @returns the value */
  local(value: string): Promise<string>;
}

export const setSignal = defineSignal<[string]>('set');
export const setUpdate = defineUpdate<string, [string]>('set');
export const valueQuery = defineQuery<string>('value');

const OPTIONS = { startToCloseTimeout: '10 seconds', retry: { initialInterval: '10 milliseconds' } } as const;
const { beat, fail } = proxyActivities<EveryPlaceActivities>({ ...OPTIONS, summary: 'a summary' });
const { local } = proxyLocalActivities<EveryPlaceActivities>(OPTIONS);

/** Every value that a run has received, by the way it came. */
export type EveryPlaceResult = Record<string, unknown>;

/** Sends and receives values in every way that flows use, and in those of Temporal that they may use. */
export async function everyPlace(run: 'first' | 'second', before: EveryPlaceResult = {}): Promise<EveryPlaceResult> {
  let value = '';
  setHandler(setSignal, (next) => void (value = next));
  setHandler(setUpdate, (next) => (value = next), { validator: (_next) => {} });
  setHandler(valueQuery, () => value);
  const received: EveryPlaceResult = { ...before, [`${run} memo`]: workflowInfo().memo };
  received[`${run} activity`] = await beat('activity');
  received[`${run} local activity`] = await local('local');
  received[`${run} failure`] = await fail('detail').catch(detailOf);
  upsertMemo({ run });
  const child = await startChild(everyPlaceChild, {
    workflowId: `${workflowInfo().workflowId}/child`,
    args: ['child'],
  });
  await getExternalWorkflowHandle(child.workflowId).signal(setSignal, 'from the parent');
  received[`${run} child`] = await child.result();
  if (run === 'first') await continueAsNew<typeof everyPlace>('second', received);
  await CancellationScope.nonCancellable(() => condition(() => value === 'end'));
  return received;
}

export async function everyPlaceChild(input: string): Promise<string[]> {
  let signalled = '';
  setHandler(setSignal, (next) => void (signalled = next));
  await condition(() => signalled !== '');
  return [input, signalled];
}

/** Started by a schedule. @returns its argument and its memo */
export async function scheduled(input: string): Promise<unknown[]> {
  return [input, workflowInfo().memo];
}

function detailOf(error: unknown): unknown {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? [cause.message, cause.details] : error;
}
