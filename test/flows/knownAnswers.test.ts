import { requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { fundedWallet, type FundedWallet } from '../support/wallets';

let stack: Stack;
let wallet: FundedWallet;

beforeEach(async () => {
  stack = await startStack({ speed: FAST });
  wallet = await fundedWallet(stack);
  await stack.world.control.clearJournal();
});
afterEach(() => stack.close());

const transfer = async () => (await stack.flows.transfer.start(transferOf(wallet))).result();
const reads = async () => ({
  tokens: (await requestsOf(stack.world, 'getToken')).length,
  wallets: (await requestsOf(stack.world, 'getDeveloperWallet')).length,
});

test('ten transfers of one wallet read their token once and their wallet once', async () => {
  expect(await transfer()).toMatchObject({ status: 'completed' });
  const outcomes = await Promise.all(Array.from({ length: 9 }, transfer));
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 'completed'));
  expect(await reads()).toEqual({ tokens: 1, wallets: 1 });
});

test('a hundred transfers do not wait for permits to read what the worker knows', async () => {
  await stack.world.control.changeSettings({ limits: false });
  expect(await transfer()).toMatchObject({ status: 'completed' });
  const outcomes = await Promise.all(Array.from({ length: 100 }, transfer));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['completed']));
  expect(await reads()).toEqual({ tokens: 1, wallets: 1 });
});

test('a wallet that is frozen after it was read fails the next transfer with 155501, and nothing is sent', async () => {
  expect(await transfer()).toMatchObject({ status: 'completed' });
  await stack.world.control.call('POST', `/wallets/${wallet.id}/freeze`);
  expect(await transfer()).toMatchObject({ status: 'failed', code: 155501 });
  expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  await stack.world.control.call('POST', `/wallets/${wallet.id}/unfreeze`);
  expect(await transfer()).toMatchObject({ status: 'completed' });
});

test('a wallet that was frozen when it was read is read again, and so is what the API refused to show', async () => {
  await stack.world.control.call('POST', `/wallets/${wallet.id}/freeze`);
  expect(await transfer()).toMatchObject({ status: 'failed', code: 155501, reason: 'the sending wallet is frozen' });
  await stack.world.control.call('POST', `/wallets/${wallet.id}/unfreeze`);
  const fault = { operation: 'getDeveloperWallet', count: 1, action: { status: 404, code: 156001, when: 'before' } };
  await stack.world.control.addFault(fault as never);
  expect(await transfer()).toMatchObject({ status: 'failed', code: 156001 });
  expect(await transfer()).toMatchObject({ status: 'completed' });
});
