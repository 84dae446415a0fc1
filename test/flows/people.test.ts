import { randomUUID } from 'node:crypto';
import { sealer } from '../../src/crypto/sealing';
import { flowQueue } from '../../src/domain/activityTable';
import type { FlowStart } from '../../src/domain/flowStart';
import { workflowId } from '../../src/domain/ref';
import { FlowNotReachableError } from '../../src/flows/errors';
import { FlowHandle } from '../../src/flows/handle';
import { generateLocalIssuer, type LocalIssuer, mintToken, type TokenClaims } from '../../src/identity/localIssuer';
import { canariesIn, openedHistory, rawHistory } from '../support/secrets';
import { FAST, startStack, type Stack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import type { ErrandResult } from '../support/workflows/errand';

const ADA = { subject: 'ada', issuer: 'walletflow-local' };
const HOUR_S = 3_600;

/** Rule 7: people speak in Updates, each verified, and applied once or refused with the reason. */
describe('people', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
  });
  afterAll(() => stack.close());

  const deps = () => ({ client: stack.flows.client, sealer: sealer(stack.sealingKeys) });

  async function start<R>(flow: string, input: object): Promise<FlowHandle<R>> {
    const { entity, flows, keyRing } = stack;
    const ref = `${flow}-${randomUUID()}`;
    const id = workflowId({ entity: entity.name, flow, ref });
    const at = new Date().toISOString();
    const given: FlowStart<object> = { entity: entity.name, ref, keyId: keyRing.currentId, at, input };
    await flows.client.workflow.start(flow, { workflowId: id, taskQueue: flowQueue(entity.name), args: [given] });
    return new FlowHandle<R>(deps(), id, ref);
  }

  /** A flow that asks for a device, then hears of client errors until 155701. */
  async function errand(): Promise<FlowHandle<ErrandResult>> {
    const flow = await start<ErrandResult>('errand', {});
    await until(async () => (await flow.progress()).asks !== undefined, 'the flow to ask');
    return flow;
  }

  /** A flow that waits for a decision. */
  async function question(openMs = 600_000): Promise<FlowHandle<{ choice: string }>> {
    const flow = await start<{ choice: string }>('briefQuestion', { openMs });
    await attentionOf(flow);
    return flow;
  }

  const ada = () => stack.as('ada');

  describe('provide', () => {
    test('what the flow asks for is shown, taken once, and recorded without its data', async () => {
      const flow = await errand();
      expect((await flow.progress()).asks).toEqual([
        { what: 'deviceId', effect: 'begins the errand', fields: ['deviceId'] },
      ]);
      const once = { ...(await ada()), id: 'once' };
      const given = await flow.provide('deviceId', { deviceId: 'd-CANARY' }, once);
      expect(given).toEqual({ what: 'deviceId', by: ADA });
      expect(await flow.provide('deviceId', { deviceId: 'd-CANARY' }, once)).toEqual(given);
      await expect(flow.provide('deviceId', { deviceId: 'other' }, await ada())).rejects.toThrow(
        'what: the flow asks for clientError alone now; look at its progress',
      );
      for (const code of [1, 155701]) await flow.provide('clientError', { code }, await ada());
      expect(await flow.result()).toMatchObject({
        status: 'completed',
        result: { deviceId: 'd-CANARY', codes: [1, 155701], by: ADA },
      });
      const { messages } = await flow.progress();
      expect(messages).toMatchObject([
        { message: 'provide', what: 'deviceId', by: ADA },
        { message: 'provide', what: 'clientError', by: ADA },
        { message: 'provide', what: 'clientError', by: ADA },
      ]);
      expect(JSON.stringify(messages)).not.toContain('CANARY');
      await expect(flow.provide('clientError', { code: 1 }, await ada())).rejects.toThrow(/has ended/);
    });

    test('with an id that a message of another kind had too, it counts all the same', async () => {
      const flow = await errand();
      const same = { ...(await ada()), id: 'same' };
      await flow.provide('deviceId', { deviceId: 'd-1' }, same);
      expect(await flow.cancel(same)).toBe('accepted');
      expect(await flow.cancel(same)).toBe('accepted');
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    });

    test('data that can not be used are refused at the door or by the flow, by field', async () => {
      const flow = await errand();
      const by = await ada();
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
      const token = await deps().sealer.seal(by.token, { flow: flow.workflowId, field: 'by.token' });
      await expect(
        stack.flows.client.workflow
          .getHandle(flow.workflowId)
          .executeUpdate('provide', { args: [{ what: 'deviceId', data: { deviceId: 7 }, by: { token } }] }),
      ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/^deviceId: is no text/) } });
      expect((await flow.progress()).messages).toBeUndefined();
    });

    test('a cancel ends the wait, and what was asked for is asked for no more', async () => {
      const flow = await errand();
      expect(await flow.cancel(await ada())).toBe('accepted');
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: ADA });
      expect(await flow.progress()).toMatchObject({ messages: [{ message: 'cancel', by: ADA }] });
      await expect(flow.provide('deviceId', { deviceId: 'd' }, await ada())).rejects.toThrow(/has ended/);
    });
  });

  describe('identity', () => {
    const now = () => Math.floor(Date.now() / 1_000);
    const stranger: LocalIssuer = { ...generateLocalIssuer(), issuer: 'https://elsewhere.example' };
    /** The same name, another key. */
    const impostor = generateLocalIssuer();

    /** [what is wrong, how the token is made, what the sender is told] */
    const REFUSED: [string, (issuer: LocalIssuer) => [LocalIssuer, TokenClaims?], RegExp][] = [
      [
        'expired',
        (issuer) => [issuer, { expiresAt: now() - HOUR_S }],
        /^token: has expired; get a new one from walletflow-local$/,
      ],
      [
        'not valid yet',
        (issuer) => [issuer, { notBefore: now() + HOUR_S, expiresAt: now() + 2 * HOUR_S }],
        /^token: is not valid yet; wait/,
      ],
      [
        'for another audience',
        (issuer) => [issuer, { audience: 'other' }],
        /^token: is for another audience; .* for "walletflow"$/,
      ],
      [
        'of another issuer',
        () => [stranger],
        /^token: its issuer is not one that the workers believe; get one from walletflow-local$/,
      ],
      ['signed by another key', () => [impostor], /^token: its signature is not one of walletflow-local; /],
      [
        'without the scope',
        (issuer) => [issuer, { scopes: ['walletflow:cancel'] }],
        /^token: lacks scope walletflow:decide in claim "scope"; /,
      ],
    ];

    test.each(REFUSED)('a token that is %s is refused, and nothing is recorded', async (_what, made, told) => {
      const flow = await question();
      const token = await mintToken(made(stack.issuer)[0], 'ada', made(stack.issuer)[1]);
      await expect(flow.decide('yes', { token })).rejects.toMatchObject({
        name: 'FlowRefusedError',
        message: expect.stringMatching(told),
      });
      expect(await flow.progress()).toMatchObject({ attention: { name: 'Question' } });
      expect((await flow.progress()).messages).toBeUndefined();
      expect(await flow.decide('yes', await ada())).toEqual({ choice: 'yes', by: ADA });
    });

    test('what is no token at all is refused, at the door where that can be', async () => {
      const flow = await question();
      await expect(flow.decide('yes', { token: '' })).rejects.toThrow(/token: is no text/);
      await expect(flow.decide('yes', {} as never)).rejects.toThrow(/token: is no text/);
      await expect(flow.decide('yes', { token: 'nonsense' })).rejects.toThrow(/^token: is no JWT/);
      const { token } = await ada();
      const elsewhere = await deps().sealer.seal(token, { flow: 'another', field: 'by.token' });
      const { workflow } = stack.flows.client;
      await expect(
        workflow
          .getHandle(flow.workflowId)
          .executeUpdate('decide', { args: [{ choice: 'yes', by: { token: elsewhere } }] }),
      ).rejects.toMatchObject({ cause: { message: expect.stringContaining('does not open') } });
      await flow.cancel(await ada());
    });

    test('the subject is recorded, the token is not, nor is a refused one', async () => {
      const flow = await question();
      const refused = await mintToken(impostor, 'eve-CANARY');
      await expect(flow.decide('yes', { token: refused })).rejects.toThrow(/signature/);
      const { token } = await ada();
      await flow.decide('yes', { token });
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { choice: 'yes' } });
      expect(await flow.progress()).toMatchObject({ messages: [{ message: 'decide', what: 'yes', by: ADA }] });
      const canaries = [token, refused, 'eve-CANARY', ...token.split('.'), ...refused.split('.').slice(1)];
      for (const text of [
        await rawHistory(stack.flows.client, flow.workflowId),
        await openedHistory(stack.flows.client, flow.workflowId, stack.keyRing),
        stack.log.join(''),
      ]) {
        expect(canariesIn(text, canaries)).toEqual([]);
      }
    });
  });

  test('a decision as the question closes: told that it counts exactly when it does, 50 times, each sent twice', async () => {
    const told = { counts: 0, refused: 0 };
    await Promise.all(
      Array.from({ length: 5 }, async (_lane, lane) => {
        for (let run = 0; run < 10; run++) {
          const flow = await start<{ choice: string }>('briefQuestion', { openMs: 50 + 100 * ((lane + run) % 10) });
          const message = { ...(await ada()), id: 'once' };
          await until(async () => {
            const { attention, outcome } = await flow.progress();
            return attention !== undefined || outcome !== undefined;
          }, 'the question');
          const send = (): Promise<'counts' | 'refused'> =>
            flow.decide('yes', message).then(
              () => 'counts' as const,
              (error: Error) => {
                // As its message says.
                if (error instanceof FlowNotReachableError) return send();
                expect(error.message).toMatch(/has ended|waits for no decision|is over/);
                return 'refused' as const;
              },
            );
          const [first, second] = await Promise.all([send(), send()]);
          const { result } = await flow.result();
          expect([first, second, result?.choice]).toEqual(
            first === 'counts' ? ['counts', 'counts', 'yes'] : ['refused', 'refused', 'none'],
          );
          told[first]++;
        }
      }),
    );
    expect(told.counts + told.refused).toBe(50);
  });
});
