import { Context } from '@temporalio/activity';
import { type Client, ScheduleOverlapPolicy } from '@temporalio/client';
import {
  ApplicationFailure,
  defaultPayloadConverter,
  type Payload,
  type SerializationContext,
} from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { generateKeyRing, KeyRing } from '../../../src/crypto/keyRing';
import { bindingOf } from '../../../src/crypto/payloadBinding';
import { EncryptingCodec } from '../../../src/crypto/payloadCodec';
import { flowQueue } from '../../../src/domain/activityTable';
import { distrustOf } from '../../../src/domain/untrusted';
import { connectClient } from '../../../src/temporal/connection';
import { replayFailures } from '../../support/replayFailures';
import { TEMPORAL } from '../../support/stack';
import { startTestWorker } from '../../support/testWorker';
import { until } from '../../support/until';
import {
  type EveryPlaceActivities,
  type EveryPlaceResult,
  setSignal,
  setUpdate,
  valueQuery,
} from '../../support/workflows/everyPlace';

/** Records the places of what it believed, and what it did not believe. */
class WatchedCodec extends EncryptingCodec {
  readonly places = new Set<string>();
  readonly refused: string[] = [];

  override async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const decoded = await super.decode(payloads, context);
    for (const payload of decoded) {
      const distrust = distrustOf(defaultPayloadConverter.fromPayload(payload));
      if (distrust) this.refused.push(`${distrust} ${bindingOf(context)}`);
      this.places.add(
        context ? `${context.type} ${'isLocal' in context && context.isLocal ? 'local' : ''}`.trim() : 'none',
      );
    }
    return decoded;
  }
}

const activities: EveryPlaceActivities = {
  async beat(value) {
    const { attempt, heartbeatDetails } = Context.current().info;
    if (attempt > 1) return { value, heartbeat: heartbeatDetails };
    Context.current().heartbeat(`heartbeat of ${value}`);
    throw ApplicationFailure.retryable('once more');
  },
  async fail(value) {
    throw ApplicationFailure.nonRetryable('failed', 'Expected', { value });
  },
  local: async (value) => value,
};

/** Workers and clients encrypt each payload for one place and decrypt it there: the SDK must name the same place on both sides. */
describe('the place of a payload', () => {
  const ring = new KeyRing(generateKeyRing(new Date()));
  const codec = new WatchedCodec(ring);
  const entity = `places-${randomUUID()}`;
  const taskQueue = flowQueue(entity);
  let client: Client;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR', () => {}) });
    client = await connectClient([codec], TEMPORAL);
    // Each workflow task replays the history, so everything is decrypted again.
    stop = await startTestWorker({ entity, codec, activities, maxCachedWorkflows: 0 });
  });
  afterAll(async () => {
    await stop();
    await client.connection.close();
  });
  afterEach(() => {
    if (codec.refused.length > 0) throw new Error(`Refused: ${JSON.stringify(codec.refused)}`);
  });

  test('is the same where it is encrypted and where it is decrypted, over every way', async () => {
    const workflowId = `${entity}/everyPlace/${randomUUID()}`;
    const options = {
      workflowId,
      taskQueue,
      memo: { of: 'the start' },
      staticSummary: 'summary',
      args: ['first'] as [string],
    };
    const workflow = await client.workflow.signalWithStart('everyPlace', {
      ...options,
      signal: setSignal,
      signalArgs: ['1'],
    });
    await until(async () => (await workflow.describe()).memo?.run === 'second', 'the second run');
    expect(await workflow.executeUpdate(setUpdate, { args: ['2'] })).toBe('2');
    expect(await workflow.query(valueQuery)).toBe('2');
    const first = client.workflow.getHandle(workflowId, workflow.signaledRunId);
    expect(await (await first.describe()).staticSummary()).toBe('summary');
    await workflow.signal(setSignal, 'end');
    const each = (run: string): EveryPlaceResult => ({
      [`${run} activity`]: { value: 'activity', heartbeat: 'heartbeat of activity' },
      [`${run} local activity`]: 'local',
      [`${run} failure`]: ['failed', [{ value: 'detail' }]],
      [`${run} child`]: ['child', 'from the parent'],
    });
    expect(await workflow.result()).toEqual({
      ...each('first'),
      ...each('second'),
      'first memo': { of: 'the start' },
      'second memo': { of: 'the start' },
    });
    expect([...codec.places].sort()).toEqual(['activity', 'activity local', 'workflow']);
    expect(await replayFailures(client, ring, [workflowId, `${workflowId}/child`])).toEqual([]);
  });

  test('of a schedule is the id of its action, without the time that the server appends; its memo has none', async () => {
    const workflowId = `${entity}/scheduled/${randomUUID()}`;
    const schedule = await client.schedule.create({
      scheduleId: workflowId,
      spec: { intervals: [{ every: '1 hour' }] },
      policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL },
      action: {
        type: 'startWorkflow',
        workflowType: 'scheduled',
        workflowId,
        taskQueue,
        args: ['input'],
        memo: { of: 'action' },
      },
      memo: { of: 'the schedule' },
      state: { triggerImmediately: true },
    });
    await until(async () => (await schedule.describe()).info.recentActions.length > 0, 'an action');
    const { info, memo } = await schedule.describe();
    expect(memo).toEqual({ of: 'the schedule' });
    const { workflowId: startedId } = (info.recentActions[0]!.action as { workflow: { workflowId: string } }).workflow;
    expect(startedId).toMatch(/-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    // Only a start is believed there: a copy of any other payload of the action's id is refused, and so is its memo.
    const [input, { of }] = await client.workflow.getHandle(startedId).result();
    expect([input, distrustOf(of)]).toEqual(['input', 'copied']);
    expect(new Set(codec.refused.splice(0)).size).toBe(1);
    expect(codec.places).toContain('none');
    await schedule.delete();
  });
});
