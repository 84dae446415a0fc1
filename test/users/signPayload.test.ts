import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { hashMessage, Transaction, TypedDataEncoder } from 'ethers';
import { createHash, randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import { action, DELEGATE_PREFIX, delegateActionOf, u128 } from '../emulator/signing/nearBorsh';
import { signerOf } from '../emulator/signing/recovery';
import { PROGRAM, SIGNATURE, wire } from '../emulator/signing/solanaWire';
import { requestsOf } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { makePayer, type Payer, resolveChallenge } from '../support/payers';
import { canariesIn, decryptedHistory } from '../support/secrets';
import { FAST, type Stack, startStack } from '../support/stack';
import { RECIPIENT } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, challengesOf, PIN } from '../support/users';
import { emptyWallet, fundedWallet, type FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Payload = StartInput<'signPayload'>['payload'];

const TYPES = { Mail: [{ name: 'text', type: 'string' }] };
const DOMAIN = { name: 'Mail', chainId: 11_155_111 };
const MESSAGE = { text: 'hello' };
const TYPED_DATA = JSON.stringify({ types: TYPES, primaryType: 'Mail', domain: DOMAIN, message: MESSAGE });

const JSON_FORM = {
  to: RECIPIENT,
  nonce: 7,
  gasLimit: 21_000,
  maxFeePerGas: 2,
  maxPriorityFeePerGas: 1,
  value: 1,
  chainId: 11_155_111,
};
const UNSIGNED = Transaction.from({
  type: 2,
  to: RECIPIENT,
  nonce: 7,
  gasLimit: 21_000n,
  value: 1n,
  chainId: 11_155_111,
});

describe('signPayload by a developer wallet', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    wallet = await fundedWallet(stack);
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  const start = (payload: Payload, walletId = wallet.id) =>
    stack.flows.signPayload.start({ ref: `s-${randomUUID()}`, walletId, payload });
  const signed = async (payload: Payload, walletId?: string) => {
    const outcome = await (await start(payload, walletId)).result();
    expect(outcome).toMatchObject({ status: 'completed', result: { kind: payload.kind, deliveredTo: 'result' } });
    return reportedBy(outcome);
  };

  test('signs a message', async () => {
    const { signature } = await signed({ kind: 'message', message: 'I agree', memo: 'terms' });
    expect(signerOf(hashMessage('I agree'), signature!)).toBe(wallet.address);
  });

  test('signs typed data', async () => {
    const { signature } = await signed({ kind: 'typedData', data: TYPED_DATA });
    expect(signerOf(TypedDataEncoder.hash(DOMAIN, TYPES, MESSAGE), signature!)).toBe(wallet.address);
  });

  test('signs a transaction without sending it', async () => {
    const unsigned = Transaction.from({
      type: 2,
      to: RECIPIENT,
      nonce: 7,
      gasLimit: 21_000n,
      value: 1n,
      chainId: DOMAIN.chainId,
    });
    const { signature, signedTransaction, txHash } = await signed({
      kind: 'transaction',
      rawTransaction: unsigned.unsignedSerialized,
    });
    expect(signerOf(unsigned.unsignedHash, signature!)).toBe(wallet.address);
    expect(Transaction.from(signedTransaction).hash).toBe(txHash);
    const { data } = await stack.api.listTransactions({ query: { walletIds: wallet.id, txType: 'OUTBOUND' } });
    expect(data.transactions).toEqual([]);
  });

  test('signs a delegate action', async () => {
    const { id, address } = await emptyWallet(stack, { blockchain: 'NEAR-TESTNET', accountType: 'EOA' });
    const key = Buffer.from(address, 'hex');
    const unsigned = delegateActionOf(address, key, [action(3, u128)]);
    const { signature, signedDelegateAction } = await signed(
      { kind: 'delegateAction', unsignedDelegateAction: unsigned.toString('base64') },
      id,
    );
    const hash = createHash('sha256')
      .update(Buffer.concat([DELEGATE_PREFIX, unsigned]))
      .digest();
    const bytes = base58.decode(signature!);
    expect(ed25519.verify(bytes, hash, key)).toBe(true);
    expect(signedDelegateAction).toBe(Buffer.concat([unsigned, Buffer.from([0]), bytes]).toString('base64'));
  });

  test.each<[string, 'signMessage' | 'signTypedData' | 'signTransaction', Payload]>([
    ['a message', 'signMessage', { kind: 'message', message: 'I agree' }],
    ['a hex message', 'signMessage', { kind: 'message', message: '0xc0ffee', encodedByHex: true }],
    ['typed data', 'signTypedData', { kind: 'typedData', data: TYPED_DATA }],
    ['a transaction', 'signTransaction', { kind: 'transaction', rawTransaction: UNSIGNED.unsignedSerialized }],
    ['a transaction as JSON', 'signTransaction', { kind: 'transaction', transaction: JSON.stringify(JSON_FORM) }],
  ])(
    'a signature of %s by another wallet needs a decision and never completes the flow',
    async (_, operation, payload) => {
      const other = await emptyWallet(stack, { blockchain: 'ETH-SEPOLIA', accountType: 'EOA' });
      const { kind: __, ...content } = payload;
      const send = stack.api[operation] as (request: object) => Promise<object>;
      const body = await send({ body: { walletId: other.id, ...content } });
      await stack.world.control.addFault({ operation, count: 1, action: { status: 200, body } });
      const flow = await start(payload);
      expect(await attentionOf(flow)).toMatchObject({
        name: 'UnexpectedSignature',
        options: [{ choice: 'retry' }, { choice: 'giveUp' }],
      });
      await flow.decide('retry', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'completed' });
    },
  );

  test('a signature of another payload fails the flow after an operator gives up, without the signature', async () => {
    const other = await stack.api.signMessage({ body: { walletId: wallet.id, message: 'I disagree' } });
    await stack.world.control.addFault({ operation: 'signMessage', action: { status: 200, body: other } });
    const flow = await start({ kind: 'message', message: 'I agree' });
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops'));
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('signature') });
    expect(outcome).not.toHaveProperty('result');
  });

  test('a lost reply costs only a second request', async () => {
    await stack.world.control.addFault({ operation: 'signMessage', count: 1, action: { drop: 'after' } });
    const { signature } = await signed({ kind: 'message', message: 'once more' });
    expect(signerOf(hashMessage('once more'), signature!)).toBe(wallet.address);
    expect(await requestsOf(stack.world, 'signMessage')).toHaveLength(2);
  });

  test.each<[Payload, number]>([
    [{ kind: 'typedData', data: '{}' }, 156026],
    [{ kind: 'typedData', data: TYPED_DATA.replace('11155111', '1337') }, 155807],
    [{ kind: 'typedData', data: TYPED_DATA.replace(',"chainId":11155111', '') }, 155808],
    [{ kind: 'transaction', rawTransaction: '0x00' }, 155805],
    [{ kind: 'delegateAction', unsignedDelegateAction: 'AA==' }, 155510],
  ])('a payload that the API rejects fails the flow with its code: %j, %d', async (payload, code) => {
    const outcome = await (await start(payload)).result();
    expect(outcome).toMatchObject({ status: 'failed', code, remedy: expect.any(String) });
  });

  test('a frozen wallet fails with 155501 before any signing request', async () => {
    const { id } = await fundedWallet(stack);
    await stack.world.control.call('POST', `/wallets/${id}/freeze`);
    const outcome = await (await start({ kind: 'message', message: 'a' }, id)).result();
    expect(outcome).toMatchObject({ status: 'failed', code: 155501 });
    expect(await requestsOf(stack.world, 'signMessage')).toHaveLength(0);
  });
});

/** The response to the user's client, the only one that contains the signature: docs/api-behavior.md#users-and-challenges. */
interface ClientResponse {
  data: { signature: string; signedTransaction?: string };
}

describe.each(['reject', 'replay'] as const)("signPayload by a user's wallet, idempotency mode %s", (idempotency) => {
  let stack: Stack;
  let payer: Payer;
  let evm: FundedWallet;
  let solana: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ settings: { idempotency, challengeLifetimeMs: null } });
    payer = await makePayer(stack, { blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'] });
    [evm, solana] = payer.wallets as [FundedWallet, FundedWallet];
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  const start = (payload: Payload, { id: walletId }: FundedWallet = evm, more: object = {}) =>
    stack.flows.signPayload.start({ ref: `s-${randomUUID()}`, walletId, payload, ...more });
  /** The user approves and the flow ends. @returns the data that the user's client gets */
  const signed = async (payload: Payload, wallet?: FundedWallet) => {
    const flow = await start(payload, wallet);
    const challengeId = await challengeOf(flow);
    const response = await stack.world.control.call<ClientResponse>('POST', `/challenges/${challengeId}/approve`, {
      pin: PIN,
    });
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome).toEqual({
      status: 'completed',
      result: { walletId: (wallet ?? evm).id, kind: payload.kind, deliveredTo: 'browser', challengeId },
    });
    // Only the browser gets the signature. Not even the decrypted history contains it.
    const { signature } = response.data;
    expect(canariesIn(await decryptedHistory(stack.flows.client, flow.workflowId, stack.keyRing), [signature])).toEqual(
      [],
    );
    return response.data;
  };
  const solanaTransaction = () => wire({ accounts: [Buffer.from(base58.decode(solana.address)), PROGRAM], signers: 1 });

  test('signs a message', async () => {
    const { signature } = await signed({ kind: 'message', message: 'I agree', memo: 'terms' });
    expect(signerOf(hashMessage('I agree'), signature)).toBe(evm.address);
  });

  test('signs typed data', async () => {
    const { signature } = await signed({ kind: 'typedData', data: TYPED_DATA });
    expect(signerOf(TypedDataEncoder.hash(DOMAIN, TYPES, MESSAGE), signature)).toBe(evm.address);
  });

  test('signs a Solana transaction', async () => {
    const unsigned = solanaTransaction();
    const { signature } = await signed({ kind: 'transaction', rawTransaction: unsigned.toString('base64') }, solana);
    const message = unsigned.subarray(1 + SIGNATURE);
    expect(ed25519.verify(base58.decode(signature), message, base58.decode(solana.address))).toBe(true);
  });

  test.each([
    ['signUserMessage', 'after', { kind: 'message', message: 'lost' }],
    ['signUserMessage', 'before', { kind: 'message', message: 'lost' }],
    ['signUserTypedData', 'after', { kind: 'typedData', data: TYPED_DATA }],
  ] as const)(
    '%s, lost %s it is carried out, leads to one challenge, which the flow finds',
    async (operation, drop, payload) => {
      const before = (await challengesOf(stack, payer.userId)).length;
      await stack.world.control.addFault({ operation, count: 1, action: { drop } });
      const flow = await start(payload);
      if (drop === 'before') {
        // Without an idempotency key, a request with an unknown outcome is not resent automatically.
        await untilAttention(flow);
        await flow.decide('retry', await stack.as('ops'));
      }
      await approve(stack, await challengeOf(flow));
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect(await requestsOf(stack.world, operation)).toHaveLength(drop === 'before' ? 2 : 1);
      expect(await challengesOf(stack, payer.userId)).toHaveLength(before + 1);
    },
  );

  const untilAttention = async (flow: Awaited<ReturnType<typeof start>>) => {
    await until(async () => {
      await stack.advance(MINUTE);
      return (await flow.progress()).attention !== undefined;
    }, 'the attention');
  };

  test('a declined challenge denies the flow, and a challenge that expires after the deadline expires it', async () => {
    const declined = await start({ kind: 'message', message: 'no' });
    await resolveChallenge(stack, await challengeOf(declined), 'reject');
    await stack.advance(HOUR);
    expect(await declined.result()).toMatchObject({ status: 'denied', code: 155701 });

    const late = await start({ kind: 'message', message: 'late' }, evm, { deadline: '10 minutes' });
    const id = await challengeOf(late);
    await stack.advance(HOUR);
    expect((await late.progress()).outcome).toBeUndefined();
    await resolveChallenge(stack, id, 'expire');
    await stack.advance(HOUR);
    expect(await late.result()).toMatchObject({ status: 'expired' });
  });

  test.each<[string, Payload, number]>([
    ['a delegate action', { kind: 'delegateAction', unsignedDelegateAction: 'AA==' }, 155510],
    ['typed data without a chain', { kind: 'typedData', data: TYPED_DATA.replace(',"chainId":11155111', '') }, 155808],
    ['invalid typed data', { kind: 'typedData', data: '{}' }, 156026],
    ['an EVM transaction', { kind: 'transaction', rawTransaction: '0x00' }, 155510],
  ])('%s fails the flow without asking the user', async (_payload, payload, code) => {
    const before = (await challengesOf(stack, payer.userId)).length;
    const flow = await start(payload);
    await stack.advance(MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'failed', code, remedy: expect.any(String) });
    expect(await challengesOf(stack, payer.userId)).toHaveLength(before);
  });
});

describe('the input of signPayload', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ workers: false });
  });
  afterAll(() => stack.close());

  const walletId = randomUUID();
  test.each<[object, RegExp]>([
    [{ kind: 'message', message: '' }, /payload: 156025/],
    [{ kind: 'message', message: 'half \ud83d' }, /payload: 156025/],
    [{ kind: 'message', message: '0xabc', encodedByHex: true }, /payload: 156023/],
    [{ kind: 'message' }, /payload\.message: is missing/],
    [{ kind: 'message', message: 'a', data: '{}' }, /payload\.data: is not a field/],
    [{ kind: 'typedData', data: '{' }, /payload: 156024/],
    [{ kind: 'transaction' }, /payload: 155801/],
    [{ kind: 'transaction', rawTransaction: '0x00', transaction: '{}' }, /payload: 155801/],
    [{ kind: 'email', message: 'a' }, /payload.*kind.*message, typedData, transaction, delegateAction/],
  ])('start rejects %j', async (payload, message) => {
    const start = stack.flows.signPayload.start({ ref: 'x', walletId, payload: payload as Payload });
    await expect(start).rejects.toThrow(message);
  });

  test('start rejects a payload above 131072 bytes and accepts one of that size', async () => {
    const sized = (length: number): Payload => ({ kind: 'message', message: 'a'.repeat(length) });
    const overhead = JSON.stringify(sized(0)).length;
    const start = (length: number) =>
      stack.flows.signPayload.start({ ref: `s-${randomUUID()}`, walletId, payload: sized(length) });
    await expect(start(3 * 1024 * 1024)).rejects.toThrow(/payload: has \d+ bytes; reduce it to 131072 or less/);
    await expect(start(131_072 - overhead + 1)).rejects.toThrow(/reduce it to 131072 or less/);
    const flow = await start(131_072 - overhead);
    await stack.flows.client.workflow.getHandle(flow.workflowId).terminate();
  });

  test('start rejects a deadline without a unit', async () => {
    const payload: Payload = { kind: 'message', message: 'a' };
    const start = stack.flows.signPayload.start({ ref: 'x', walletId, payload, deadline: '3' });
    await expect(start).rejects.toThrow(/deadline: "3" is not a duration/);
  });
});
