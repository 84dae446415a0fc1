import { randomUUID } from 'node:crypto';
import { sealer } from '../../src/crypto/sealing';
import { flowQueue } from '../../src/domain/activityTable';
import type { FlowStart } from '../../src/domain/flowStart';
import { workflowId } from '../../src/domain/ref';
import { FlowHandle } from '../../src/flows/handle';
import { FAST, startStack, type Stack } from '../support/stack';
import { until } from '../support/until';
import type { ErrandResult } from '../support/workflows/errand';

/** Rule 7: people speak in Updates, each applied once or refused with the reason. */
describe('people', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
  });
  afterAll(() => stack.close());

  /** A flow that asks for a device, then hears of client errors until 155701. */
  async function errand(): Promise<FlowHandle<ErrandResult>> {
    const { entity, flows, keyRing, sealingKeys } = stack;
    const ref = `errand-${randomUUID()}`;
    const id = workflowId({ entity: entity.name, flow: 'errand', ref });
    const start: FlowStart<object> = {
      entity: entity.name,
      ref,
      keyId: keyRing.currentId,
      at: new Date().toISOString(),
      input: {},
    };
    await flows.client.workflow.start('errand', {
      workflowId: id,
      taskQueue: flowQueue(entity.name),
      args: [start],
    });
    const handle = new FlowHandle<ErrandResult>({ client: flows.client, sealer: sealer(sealingKeys) }, id, ref);
    await until(async () => (await handle.progress()).asks !== undefined, 'the flow to ask');
    return handle;
  }

  const by = { by: 'ada' };

  describe('provide', () => {
    test('what the flow asks for is shown, taken once, and recorded without its data', async () => {
      const flow = await errand();
      expect((await flow.progress()).asks).toEqual([
        { what: 'deviceId', effect: 'begins the errand', fields: ['deviceId'] },
      ]);
      const given = await flow.provide('deviceId', { deviceId: 'd-CANARY' }, { ...by, id: 'once' });
      expect(given).toMatchObject({ what: 'deviceId', by: { subject: 'ada' } });
      expect(await flow.provide('deviceId', { deviceId: 'd-CANARY' }, { ...by, id: 'once' })).toEqual(given);
      await expect(flow.provide('deviceId', { deviceId: 'other' }, by)).rejects.toThrow(
        'what: the flow asks for clientError alone now; look at its progress',
      );
      for (const code of [1, 155701]) await flow.provide('clientError', { code }, by);
      expect(await flow.result()).toMatchObject({
        status: 'completed',
        result: { deviceId: 'd-CANARY', codes: [1, 155701], by: { subject: 'ada' } },
      });
      const { messages } = await flow.progress();
      expect(messages).toMatchObject([
        { message: 'provide', what: 'deviceId', by: { subject: 'ada' } },
        { message: 'provide', what: 'clientError', by: { subject: 'ada' } },
        { message: 'provide', what: 'clientError', by: { subject: 'ada' } },
      ]);
      expect(JSON.stringify(messages)).not.toContain('CANARY');
      await expect(flow.provide('clientError', { code: 1 }, by)).rejects.toThrow(/has ended/);
    });

    test('data that can not be used are refused at the door or by the flow, by field', async () => {
      const flow = await errand();
      await expect(flow.provide('deviceId', { device: 'x' } as never, by)).rejects.toThrow(
        /device: is not a field of deviceId; remove it\n.*deviceId: is missing; give/,
      );
      await expect(flow.provide('deviceId', { deviceId: 'x'.repeat(20_000) }, by)).rejects.toThrow(/longer than 16384/);
      await expect(flow.provide('nonsense' as never, {} as never, by)).rejects.toThrow(
        /what: .*choose one of deviceId/,
      );
      await expect(flow.provide('deviceId', { deviceId: 'stolen' }, by)).rejects.toThrow(
        'deviceId: is stolen; give another',
      );
      await expect(
        stack.flows.client.workflow
          .getHandle(flow.workflowId)
          .executeUpdate('provide', { args: [{ what: 'deviceId', data: { deviceId: 7 }, ...by }] }),
      ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/^deviceId: is no text/) } });
      expect((await flow.progress()).messages).toBeUndefined();
    });

    test('a cancel ends the wait, and what was asked for is asked for no more', async () => {
      const flow = await errand();
      expect(await flow.cancel(by)).toBe('accepted');
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ada' } });
      expect((await flow.progress()).asks).toBeUndefined();
    });
  });
});
