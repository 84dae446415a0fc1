import { Interface } from 'ethers';
import type { StartInput } from '../../src/client/flowStarter';
import type { FlowEvent } from '../../src/domain/flowEvent';
import { callOf, USDC } from '../support/contractCalls';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { Receiver } from '../support/receiver';
import { FAST, type Stack, startStack } from '../support/stack';
import { RECIPIENT } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fund, fundedWallet, type FundedWallet } from '../support/wallets';

const ERC20 = new Interface(['function transfer(address,uint256)', 'function approve(address,uint256)']);
const SENDS = { kind: 'transfer', recipient: RECIPIENT, contract: USDC, amount: '1.25' };
/** Native tokens without a function. */
const PAYS = { abiFunctionSignature: undefined, abiParameters: undefined, callData: '0x' };
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

let stack: Stack;
let receiver: Receiver;
let wallet: FundedWallet;

beforeAll(async () => {
  receiver = await Receiver.open();
  stack = await startStack({
    speed: FAST,
    events: { url: receiver.url, secret: SECRET },
    policies: {
      default: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' } }],
      thrifty: [
        { version: 1, transfer: { feeLevel: 'MEDIUM', maxNetworkFee: { 'ETH-SEPOLIA': '0.0001' }, stuck: 'ask' } },
      ],
    },
  });
});
afterAll(async () => {
  await stack.close();
  receiver.close();
});
beforeEach(async () => {
  await stack.world.control.clearFaults();
  wallet = await fundedWallet(stack);
  await stack.world.control.clearJournal();
});

const start = (more: Partial<StartInput<'executeContract'>> = {}) =>
  stack.flows.executeContract.start(callOf(wallet, more));
const outcomeOf = async (more: Partial<StartInput<'executeContract'>> = {}) => (await start(more)).result();
/** What the API has at an address, and not what a flow reports. */
async function balancesOf({ id }: FundedWallet): Promise<Record<string, string>> {
  const { tokenBalances = [] } = (await stack.api.listBalances({ params: { id }, query: { includeAll: true } })).data;
  return Object.fromEntries(tokenBalances.map(({ token, amount }) => [token.id, amount]));
}

describe('a contract call', () => {
  test.each<[string, Partial<StartInput<'executeContract'>>]>([
    ['as a function with parameters', {}],
    [
      'as call data',
      {
        abiFunctionSignature: undefined,
        abiParameters: undefined,
        callData: ERC20.encodeFunctionData('transfer', [RECIPIENT, 1_250_000]),
      },
    ],
  ])('%s is sent once and followed to its end, and shows who receives what', async (_, form) => {
    const flow = await start(form);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    expect(await sentBy(stack.world, wallet.id)).toMatchObject([
      { id: reportedBy(outcome).transactionId, state: 'COMPLETE' },
    ]);
    expect((await balancesOf(wallet))[wallet.usdcId]).toBe('998.75');
    const progress = await flow.progress();
    expect(progress.call).toEqual({ movements: [SENDS] });
    expect(progress.steps.map(({ name, state }) => [name, state])).toEqual([
      ['validate', 'done'],
      ['lane', 'done'],
      ['gate', 'done'],
      ['submit', 'done'],
      ['follow', 'done'],
    ]);
    expect(progress.resources).toMatchObject({ walletId: wallet.id, txHash: reportedBy(outcome).txHash });
  });

  test('sends native tokens to the contract', async () => {
    const other = await fundedWallet(stack, { native: '0', usdc: '0' });
    const flow = await start({ ...PAYS, contractAddress: other.address, amount: '0.50' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { amounts: ['0.50'] } });
    expect((await balancesOf(other))[wallet.nativeId]).toBe('0.5');
    expect((await flow.progress()).call?.movements).toEqual([
      { kind: 'transfer', recipient: other.address, amount: '0.5' },
    ]);
  });

  test('of an unknown function says that it is not decoded', async () => {
    const flow = await start({ abiFunctionSignature: 'burn(uint256)', abiParameters: ['0'] });
    await until(async () => (await flow.progress()).endedAt !== undefined);
    expect((await flow.progress()).call).toEqual({ movements: [], undecoded: true });
  });

  test('names its wallet by the address', async () => {
    const { address, blockchain } = wallet;
    expect(await outcomeOf({ from: { address, blockchain } })).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test.each([
    ['is sent with its own fee', { maxFee: '40', priorityFee: '2', gasLimit: '200000' }],
    ['is sent with the gas limit of the input', { feeLevel: 'HIGH' as const, gasLimit: '200000' }],
  ])('%s', async (_, fee) => {
    const outcome = await outcomeOf({ fee });
    expect(outcome).toMatchObject({ status: 'completed' });
    const { data } = await stack.api.getTransaction({ params: { id: reportedBy(outcome).transactionId } });
    expect(data.transaction.estimatedFee).toMatchObject({ gasLimit: '200000' });
  });
});

describe('exactly one transaction', () => {
  test('after a lost reply', async () => {
    await stack.world.control.addFault({ operation: 'createContractExecution', count: 1, action: { drop: 'after' } });
    expect(await outcomeOf()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
    const requests = await requestsOf(stack.world, 'createContractExecution');
    expect(distinct(requests, 'idempotencyKey')).toHaveLength(1);
    expect((await balancesOf(wallet))[wallet.usdcId]).toBe('998.75');
  });

  test.each<[string, Partial<StartInput<'executeContract'>>]>([
    ['a function', {}],
    [
      'call data',
      { abiFunctionSignature: undefined, abiParameters: undefined, callData: ERC20.encodeFunctionData('approve', [RECIPIENT, 1]) }, // prettier-ignore
    ],
  ])('of %s: a lookup finds it after a lost reply and a refusal', async (_, form) => {
    const { control } = stack.world;
    await control.addFault({ operation: 'createContractExecution', count: 1, action: { drop: 'after' } });
    await control.addFault({
      operation: 'createContractExecution',
      skip: 1,
      count: 1,
      action: { status: 400, code: 155201, when: 'before' },
    });
    const flow = await start(form);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toMatchObject([
      { id: (await flow.progress()).resources.transactionId, state: 'COMPLETE' },
    ]);
  });

  test('another contract than the flow has called needs a decision', async () => {
    const change = { field: 'data.transaction.contractAddress', change: 'unknown' } as const;
    await stack.world.control.addFault({ operation: 'getTransaction', count: 1, action: change });
    const flow = await start();
    expect(await attentionOf(flow)).toMatchObject({
      name: 'UnexpectedTransaction',
      reason: expect.stringMatching(/differs in contractAddress$/),
      call: { movements: [SENDS] },
    });
    await flow.decide('retry', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });
});

describe('before anything is sent', () => {
  test.each<[string, Partial<StartInput<'executeContract'>>, number, RegExp]>([
    ['too few parameters', { abiParameters: [RECIPIENT] }, 155209, /^abiParameters: has 1 values/],
    ['a parameter of another type', { abiParameters: [RECIPIENT, '1.5'] }, 155209, /^abiParameters: value 2 is not/],
    ['no signature', { abiFunctionSignature: 'transfer' }, 155209, /^abiFunctionSignature: is not the canonical/],
    ['a wrong checksum', { contractAddress: USDC.replace('7D', '7d') }, 155219, /^contractAddress: .*checksum/],
    ['too many decimals', { amount: '0.1234567890123456789' }, 155245, /^amount: has 19 decimals/],
  ])('%s fails the flow with a remedy', async (_, more, code, reason) => {
    const outcome = await outcomeOf(more);
    expect(outcome).toMatchObject({ status: 'failed', code, reason: expect.stringMatching(reason) });
    expect(outcome).toHaveProperty('remedy', expect.stringMatching(/\w/));
    expect(await requestsOf(stack.world, 'estimateContractExecutionFee')).toEqual([]);
    expect(await requestsOf(stack.world, 'createContractExecution')).toEqual([]);
  });

  test('a wallet on a blockchain without contracts fails the flow', async () => {
    const { id } = await fundedWallet(stack, { blockchain: 'SOL-DEVNET' });
    expect(await outcomeOf({ from: { walletId: id } })).toMatchObject({
      status: 'failed',
      code: 155510,
      reason: 'from: the wallet is on SOL-DEVNET, where the API calls no contracts',
      remedy: expect.stringMatching(/EVM/),
    });
  });

  describe('a call that reverts needs a decision', () => {
    const transferFrom = (holder: FundedWallet) =>
      start({
        abiFunctionSignature: 'transferFrom(address,address,uint256)',
        abiParameters: [holder.address, RECIPIENT, '1000000'],
      });

    test('which can give up', async () => {
      const flow = await transferFrom(await fundedWallet(stack));
      const remedy = expect.stringMatching(/parameters/);
      expect(await attentionOf(flow)).toMatchObject({
        name: 'EstimationReverted',
        code: 155208,
        remedy,
        options: [{ choice: 'retry' }, { choice: 'giveUp', effect: 'ends the flow as failed; it sends nothing more' }],
      });
      await flow.decide('giveUp', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'failed', code: 155208, remedy });
      expect(await requestsOf(stack.world, 'createContractExecution')).toEqual([]);
    });

    test('and is sent after an approval that it needs', async () => {
      const holder = await fundedWallet(stack);
      const flow = await transferFrom(holder);
      await attentionOf(flow);
      const approval = { abiFunctionSignature: 'approve(address,uint256)', abiParameters: [wallet.address, '1000000'] };
      const approved = await stack.flows.executeContract.start(callOf(holder, approval));
      expect(await approved.result()).toMatchObject({ status: 'completed' });
      await flow.decide('retry', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
      expect((await balancesOf(holder))[wallet.usdcId]).toBe('999');
    });
  });

  test('a fee above the limit of the policy needs a decision, which shows who receives what', async () => {
    const input = callOf(wallet, { policy: 'thrifty' });
    const flow = await stack.flows.executeContract.start(input);
    const call = { movements: [SENDS] };
    expect(await attentionOf(flow)).toMatchObject({ name: 'FeeAboveLimit', call });
    expect(await requestsOf(stack.world, 'createContractExecution')).toEqual([]);
    await flow.decide('acceptFee', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const opened = () =>
      receiver.received
        .map(({ body }) => body as FlowEvent)
        .find(({ type, ref, data }) => type === 'attention' && ref === input.ref && 'state' in data);
    await until(async () => opened() !== undefined, 'the event');
    expect(opened()!.data).toMatchObject({ state: 'opened', name: 'FeeAboveLimit', call });
  });

  test('missing funds need a decision, and the call is sent after it', async () => {
    const flow = await start({ ...PAYS, contractAddress: RECIPIENT, amount: '15' });
    expect(await attentionOf(flow)).toMatchObject({
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
      call: { movements: [{ kind: 'transfer', recipient: RECIPIENT, amount: '15' }] },
    });
    expect(await requestsOf(stack.world, 'createContractExecution')).toEqual([]);
    await fund(stack, wallet, { native: '10', usdc: '0' });
    await flow.decide('retry', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { amounts: ['15'] } });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('the flow is cancelled', async () => {
    const flow = await start({ policy: 'thrifty' });
    await attentionOf(flow);
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
  });
});

test('a call that fails on the blockchain fails the flow, with its transaction', async () => {
  await stack.world.control.call('POST', '/transactions/next', { fail: { errorReason: 'FAILED_ON_CHAIN' } });
  const outcome = await outcomeOf();
  expect(outcome).toMatchObject({ status: 'failed', reason: 'FAILED_ON_CHAIN', result: { state: 'FAILED' } });
  expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
});

// prettier-ignore
test.each<[string, Partial<StartInput<'executeContract'>>, RegExp]>([
  ['neither form of a call', { abiFunctionSignature: undefined, abiParameters: undefined }, /abiFunctionSignature: is missing; give it with/],
  ['parameters alone', { abiFunctionSignature: undefined }, /abiFunctionSignature: is missing/],
  ['both forms', { callData: '0x' }, /callData: cannot be combined with/],
  ['odd call data', { abiFunctionSignature: undefined, abiParameters: undefined, callData: '0xabc' }, /callData: must be 0x and an even number/],
  ['no contract address', { contractAddress: 'usdc' }, /contractAddress: is not an address of a contract; use 0x/],
  ['an amount of zero', { amount: '0' }, /amount: is not an amount above zero/],
  ['a blockchain without contracts', { from: { address: RECIPIENT, blockchain: 'SOL' } }, /from\.blockchain: .*use one of ETH/],
  ['no wallet', { from: {} }, /from: must name a wallet/],
  ['a value that is no JSON', { abiParameters: [RECIPIENT, 5n] }, /abiParameters\.1: must be a number or a string/],
  ['a call that is too large', { abiParameters: [RECIPIENT, '1'.repeat(70_000)] }, /abiParameters: the call has \d+ bytes; reduce it/],
  ['a signature that is too long', { abiFunctionSignature: `f(${'uint8,'.repeat(700)}uint8)` }, /abiFunctionSignature: must have at most 4096 characters/],
  ['two kinds of fee', { fee: { feeLevel: 'LOW', gasPrice: '1' } }, /fee: 155234/],
])('start rejects %s', async (_, more, message) => {
  await expect(start(more)).rejects.toThrow(message);
});
