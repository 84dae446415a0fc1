import { FlowNotReachableError } from '../../src/client/errors';
import { FlowHandle } from '../../src/client/flowHandle';
import { sealer } from '../../src/crypto/sealing';
import { generateLocalIssuer, type LocalIssuer, mintToken, type TokenClaims } from '../../src/identity/localIssuer';
import { resetToStart } from '../support/history';
import { reportedBy } from '../support/outcomes';
import { canariesIn, decryptedHistory, rawHistory } from '../support/secrets';
import { FAST, type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { startTestFlow } from '../support/users';
import type { CollectedInput } from '../support/workflows/inputCollector';

const ADA = { subject: 'ada', issuer: 'walletflow-local' };
const HOUR_S = 3_600;

/** Messages from people are updates. Each one is verified, then applied once or rejected with a reason. */
describe('messages from people', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
  });
  afterAll(() => stack.close());

  const seal = (token: string, flow: string) => sealer(stack.sealingKeys).seal(token, { flow, field: 'by.token' });

  /** Starts a flow that requests a device id, then client errors until 155701. */
  async function startCollector(): Promise<FlowHandle<CollectedInput>> {
    const flow = await startTestFlow<CollectedInput>(stack, 'inputCollector', {});
    await until(async () => (await flow.progress()).inputRequests !== undefined, 'the input request');
    return flow;
  }

  /** Starts a flow that waits for a decision. */
  async function startQuestion(openMs = 600_000): Promise<FlowHandle<{ choice: string }>> {
    const flow = await startTestFlow<{ choice: string }>(stack, 'briefAttention', { openMs });
    await attentionOf(flow);
    return flow;
  }

  const ada = () => stack.as('ada');

  describe('provide', () => {
    test('requested input is shown, taken once and recorded without its data', async () => {
      const flow = await startCollector();
      expect((await flow.progress()).inputRequests).toEqual([
        { name: 'deviceId', effect: 'starts the collection', fields: ['deviceId'] },
      ]);
      const once = { ...(await ada()), id: 'once' };
      const provided = await flow.provide('deviceId', { deviceId: 'd-CANARY' }, once);
      expect(provided).toEqual({ name: 'deviceId', by: ADA });
      expect(await flow.provide('deviceId', { deviceId: 'd-CANARY' }, once)).toEqual(provided);
      await expect(flow.provide('deviceId', { deviceId: 'other' }, await ada())).rejects.toThrow(
        'name: the flow asks only for clientError now; check its progress',
      );
      for (const code of [1, 155701]) await flow.provide('clientError', { code }, await ada());
      expect(await flow.result()).toMatchObject({
        status: 'completed',
        result: { deviceId: 'd-CANARY', codes: [1, 155701], by: ADA },
      });
      const { messages } = await flow.progress();
      expect(messages).toMatchObject([
        { message: 'provide', detail: 'deviceId', by: ADA },
        { message: 'provide', detail: 'clientError', by: ADA },
        { message: 'provide', detail: 'clientError', by: ADA },
      ]);
      expect(JSON.stringify(messages)).not.toContain('CANARY');
      await expect(flow.provide('clientError', { code: 1 }, await ada())).rejects.toThrow(/has ended/);
    });

    test('messages of different kinds can share an id, and both count', async () => {
      const flow = await startCollector();
      const same = { ...(await ada()), id: 'same' };
      await flow.provide('deviceId', { deviceId: 'd-1' }, same);
      expect(await flow.cancel(same)).toBe('accepted');
      expect(await flow.cancel(same)).toBe('accepted');
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    });

    test('invalid input is rejected by the client or by the flow, naming the field', async () => {
      const flow = await startCollector();
      const by = await ada();
      await expect(flow.provide('deviceId', { device: 'x' } as never, by)).rejects.toThrow(
        /device: is not a field of deviceId; remove it\n.*deviceId: is missing; send/,
      );
      await expect(flow.provide('deviceId', { deviceId: 'x'.repeat(20_000) }, by)).rejects.toThrow(/longer than 16384/);
      await expect(flow.provide('nonsense' as never, {} as never, by)).rejects.toThrow(/name: .*use one of deviceId/);
      await expect(flow.provide('deviceId', { deviceId: 'stolen' }, by)).rejects.toThrow(
        'deviceId: is stolen; give another',
      );
      const token = await seal(by.token, flow.workflowId);
      await expect(
        stack.flows.client.workflow
          .getHandle(flow.workflowId)
          .executeUpdate('provide', { args: [{ name: 'deviceId', data: { deviceId: 7 }, by: { token } }] }),
      ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/^deviceId: must be a non-empty string/) } });
      expect((await flow.progress()).messages).toBeUndefined();
    });

    test('a cancel ends the wait, and the flow rejects the input that it requested before', async () => {
      const flow = await startCollector();
      expect(await flow.cancel(await ada())).toBe('accepted');
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: ADA });
      expect(await flow.progress()).toMatchObject({ messages: [{ message: 'cancel', by: ADA }] });
      await expect(flow.provide('deviceId', { deviceId: 'd' }, await ada())).rejects.toThrow(/has ended/);
    });
  });

  describe('decide', () => {
    const OUTDATED = /^attention: the flow does not ask this question any more; /;

    test('a decision counts for the question that it names, and a handle that has shown none has to name one', async () => {
      const flow = await startQuestion();
      const { id } = await attentionOf(flow);
      const backend = new FlowHandle(
        { client: stack.flows.client, sealer: sealer(stack.sealingKeys) },
        flow.workflowId,
        flow.ref,
      );
      await expect(backend.decide('yes', await ada())).rejects.toThrow(/^attention: is missing; /);
      await expect(backend.decide('yes', { ...(await ada()), attention: 'another' })).rejects.toThrow(OUTDATED);
      expect((await flow.progress()).messages).toBeUndefined();
      expect(await backend.decide('yes', { ...(await ada()), attention: id })).toEqual({ choice: 'yes', by: ADA });
      await expect(flow.decide('yes', await ada())).rejects.toThrow(/has ended/);
    });

    test('after a reset the flow asks again, and refuses a decision on what it asked before', async () => {
      const flow = await startQuestion();
      const before = await attentionOf(flow);
      await resetToStart(stack.flows.client, flow.workflowId);
      await until(async () => ![undefined, before.id].includes((await flow.progress()).attention?.id), 'the question');
      await expect(flow.decide('yes', { ...(await ada()), attention: before.id })).rejects.toThrow(OUTDATED);
      expect(await flow.decide('yes', await ada())).toEqual({ choice: 'yes', by: ADA });
    });
  });

  describe('identity', () => {
    const now = () => Math.floor(Date.now() / 1_000);
    const foreignIssuer: LocalIssuer = { ...generateLocalIssuer(), issuer: 'https://elsewhere.example' };
    /** The issuer's name with another key. */
    const impostor = generateLocalIssuer();

    /** [defect, token with the defect, error that the sender gets] */
    const REJECTED: [string, (issuer: LocalIssuer) => [LocalIssuer, TokenClaims?], RegExp][] = [
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
        () => [foreignIssuer],
        /^token: the workers do not trust its issuer; get one from walletflow-local$/,
      ],
      ['signed by another key', () => [impostor], /^token: its signature is not from walletflow-local; /],
      [
        'without the scope',
        (issuer) => [issuer, { scopes: ['walletflow:cancel'] }],
        /^token: lacks scope walletflow:decide in claim "scope"; /,
      ],
    ];

    test.each(REJECTED)('a token that is %s is rejected, and nothing is recorded', async (_problem, build, message) => {
      const flow = await startQuestion();
      const token = await mintToken(build(stack.issuer)[0], 'ada', build(stack.issuer)[1]);
      await expect(flow.decide('yes', { token })).rejects.toMatchObject({
        name: 'FlowRefusedError',
        message: expect.stringMatching(message),
      });
      expect(await flow.progress()).toMatchObject({ attention: { name: 'Question' } });
      expect((await flow.progress()).messages).toBeUndefined();
      expect(await flow.decide('yes', await ada())).toEqual({ choice: 'yes', by: ADA });
    });

    test('a value that is not a token is rejected, before it is sent if possible', async () => {
      const flow = await startQuestion();
      await expect(flow.decide('yes', { token: '' })).rejects.toThrow(/token: must be a string/);
      await expect(flow.decide('yes', {} as never)).rejects.toThrow(/token: is missing; pass \{ token \}/);
      await expect(flow.decide('yes', { token: 'nonsense' })).rejects.toThrow(/^token: is not a JWT/);
      const { token } = await ada();
      const shown = await attentionOf(flow);
      const elsewhere = await seal(token, 'another');
      const { workflow } = stack.flows.client;
      await expect(
        workflow
          .getHandle(flow.workflowId)
          .executeUpdate('decide', { args: [{ choice: 'yes', attention: shown.id, by: { token: elsewhere } }] }),
      ).rejects.toMatchObject({ cause: { message: expect.stringContaining('does not open') } });
      await flow.cancel(await ada());
    });

    test('the subject is recorded, but neither the accepted nor the rejected token', async () => {
      const flow = await startQuestion();
      const rejected = await mintToken(impostor, 'eve-CANARY');
      await expect(flow.decide('yes', { token: rejected })).rejects.toThrow(/signature/);
      const { token } = await ada();
      await flow.decide('yes', { token });
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { choice: 'yes' } });
      expect(await flow.progress()).toMatchObject({ messages: [{ message: 'decide', detail: 'yes', by: ADA }] });
      const canaries = [token, rejected, 'eve-CANARY', ...token.split('.'), ...rejected.split('.').slice(1)];
      for (const text of [
        await rawHistory(stack.flows.client, flow.workflowId),
        await decryptedHistory(stack.flows.client, flow.workflowId, stack.keyRing),
        stack.log.join(''),
      ]) {
        expect(canariesIn(text, canaries)).toEqual([]);
      }
    });
  });

  test('a decision sent while the question closes counts exactly when its sender is told so, 50 times, each sent twice', async () => {
    const tally = { counts: 0, refused: 0 };
    await Promise.all(
      Array.from({ length: 5 }, async (_, group) => {
        for (let run = 0; run < 10; run++) {
          const flow = await startTestFlow<{ choice: string }>(stack, 'briefAttention', {
            openMs: 50 + 100 * ((group + run) % 10),
          });
          const message = { ...(await ada()), id: 'once' };
          await until(async () => {
            const { attention, outcome } = await flow.progress();
            return attention !== undefined || outcome !== undefined;
          }, 'the question');
          const send = (): Promise<'counts' | 'refused'> =>
            flow.decide('yes', message).then(
              () => 'counts' as const,
              (error: Error) => {
                // Its message says to send again.
                if (error instanceof FlowNotReachableError) return send();
                expect(error.message).toMatch(/has ended|not waiting for a decision|is closed/);
                return 'refused' as const;
              },
            );
          const [first, second] = await Promise.all([send(), send()]);
          const { choice } = reportedBy(await flow.result());
          expect([first, second, choice]).toEqual(
            first === 'counts' ? ['counts', 'counts', 'yes'] : ['refused', 'refused', 'none'],
          );
          tally[first]++;
        }
      }),
    );
    expect(tally.counts + tally.refused).toBe(50);
  });
});
