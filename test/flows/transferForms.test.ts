import type { StartInput } from '../../src/client/flowStarter';
import type { Blockchain } from '../../src/domain/chains';
import { requestsOf, sentBy } from '../support/journal';
import { mint, nftContract, nftsOf } from '../support/nfts';
import { approveNext, type Onboarding } from '../support/onboarding';
import { makePayer } from '../support/payers';
import { FAST, type Stack, startStack } from '../support/stack';
import { RECIPIENT, transferOf } from '../support/transfers';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** What a transfer can send, and how an input names its wallet. */

const SOLANA_ADDRESS = 'So11111111111111111111111111111111111111112';
const APTOS_ADDRESS = `0x${'a'.repeat(64)}`;

let stack: Stack;
let evm: FundedWallet;
/** The emulator's NFT contracts on the wallet's blockchain. */
let erc721: string;
let erc1155: string;

beforeAll(async () => {
  // At this speed a challenge would expire before the user can approve it.
  stack = await startStack({ speed: FAST, settings: { challengeLifetimeMs: null } });
  evm = await fundedWallet(stack);
  erc721 = await nftContract(stack, 'erc721', evm.blockchain);
  erc1155 = await nftContract(stack, 'erc1155', evm.blockchain);
});
afterAll(() => stack.close());

async function outcomeOf(input: StartInput<'transfer'>) {
  return (await stack.flows.transfer.start(input)).result();
}

const nftsFrom = (wallet: FundedWallet, tokenId: string, nfts: StartInput<'transfer'>['nfts']) =>
  transferOf(wallet, { tokenId, nfts, amount: undefined });

test('an ERC-721 NFT is sent, once', async () => {
  await mint(stack, evm.id, erc721, [{ id: '11', amount: '1' }, { id: '12', amount: '1' }]); // prettier-ignore
  expect(await outcomeOf(nftsFrom(evm, erc721, [{ id: '11' }]))).toMatchObject({
    status: 'completed',
    result: { amounts: ['1'] },
  });
  expect(await nftsOf(stack, evm.id, erc721)).toEqual([{ id: '12', amount: '1' }]);
});

test('several NFTs of an ERC-1155 contract are one transaction, also if the reply is lost', async () => {
  await mint(stack, evm.id, erc1155, [{ id: '21', amount: '5' }, { id: '22', amount: '3' }, { id: '23', amount: '1' }]); // prettier-ignore
  await stack.world.control.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'after' } });
  const before = (await sentBy(stack.world, evm.id)).length;
  const nfts = [{ id: '22', amount: '2' }, { id: '21', amount: '4' }]; // prettier-ignore
  expect(await outcomeOf(nftsFrom(evm, erc1155, nfts))).toMatchObject({
    status: 'completed',
    result: { amounts: ['2', '4'] },
  });
  expect(await sentBy(stack.world, evm.id)).toHaveLength(before + 1);
  expect(await nftsOf(stack, evm.id, erc1155)).toEqual([
    { id: '21', amount: '1' },
    { id: '22', amount: '1' },
    { id: '23', amount: '1' },
  ]);
});

test('NFTs are found again by a lookup after the key was forgotten', async () => {
  await mint(stack, evm.id, erc1155, [{ id: '31', amount: '2' }]);
  const { control } = stack.world;
  await control.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'after' } });
  await control.addFault({ operation: 'createTransfer', skip: 1, count: 1, action: { status: 400, code: 155201, when: 'before' } }); // prettier-ignore
  const before = (await sentBy(stack.world, evm.id)).length;
  expect(await outcomeOf(nftsFrom(evm, erc1155, [{ id: '31', amount: '2' }]))).toMatchObject({ status: 'completed' });
  expect(await sentBy(stack.world, evm.id)).toHaveLength(before + 1);
});

test.each<[string, () => Partial<StartInput<'transfer'>>, number, RegExp]>([
  ['an NFT contract with an amount', () => ({ tokenId: erc721 }), 155228, /^amount: .*named by their ids/],
  ['a token with NFTs', () => ({ amount: undefined, nfts: [{ id: '1' }] }), 155218, /^nfts: .*not an NFT contract/],
  [
    'several NFTs of an ERC-721 contract',
    () => ({ tokenId: erc721, amount: undefined, nfts: [{ id: '1' }, { id: '2' }] }),
    155218,
    /^nfts: only an ERC-1155/,
  ],
  [
    'two of one ERC-721 NFT',
    () => ({ tokenId: erc721, amount: undefined, nfts: [{ id: '1', amount: '2' }] }),
    155221,
    /^nfts: there is only one/,
  ],
  [
    'a part of an NFT',
    () => ({ tokenId: erc1155, amount: undefined, nfts: [{ id: '1', amount: '0.5' }] }),
    155224,
    /^nfts 1: .*decimals/,
  ],
])('%s fails the flow with a remedy, and nothing is sent', async (_, changes, code, reason) => {
  await stack.world.control.clearJournal();
  const outcome = await outcomeOf(transferOf(evm, changes()));
  expect(outcome).toMatchObject({ status: 'failed', code, reason: expect.stringMatching(reason) });
  expect(outcome).toHaveProperty('remedy');
  expect(await requestsOf(stack.world, 'createTransfer')).toEqual([]);
});

test.each<[string, Partial<StartInput<'transfer'>>, RegExp]>([
  ['neither amount nor NFTs', { amount: undefined }, /amount: is missing; give an amount, or `nfts`/],
  ['both', { nfts: [{ id: '1' }] }, /nfts: cannot be combined with `amount`/],
  ['an id twice', { amount: undefined, nfts: [{ id: '1' }, { id: '1' }] }, /nfts: names 1 twice/],
  ['no NFT', { amount: undefined, nfts: [] }, /nfts: must name at least one/],
  ['no wallet', { from: {} }, /from: must name a wallet/],
  ['an address without a blockchain', { from: { address: RECIPIENT } }, /from: must name a wallet/],
  [
    'a wallet by id and by address',
    { from: { walletId: '5f7f1b8a-8a2c-4c53-9d6e-0b5f7b1b2a10', address: RECIPIENT, blockchain: 'ETH-SEPOLIA' } },
    /from: names the wallet twice/,
  ],
])('start rejects %s', async (_, changes, message) => {
  await expect(stack.flows.transfer.start(transferOf(evm, changes))).rejects.toThrow(message);
});

test.each([
  ['as the API shows it', (address: string) => address],
  ['in lower case', (address: string) => address.toLowerCase()],
])('a wallet is found by its address %s', async (_, written) => {
  const from = { address: written(evm.address), blockchain: evm.blockchain };
  const before = (await sentBy(stack.world, evm.id)).length;
  expect(await outcomeOf(transferOf(evm, { from }))).toMatchObject({ status: 'completed' });
  expect(await sentBy(stack.world, evm.id)).toHaveLength(before + 1);
});

test('an address without a wallet fails the flow', async () => {
  const from = { address: RECIPIENT, blockchain: evm.blockchain };
  expect(await outcomeOf(transferOf(evm, { from }))).toMatchObject({
    status: 'failed',
    reason: 'from: no wallet has this address on ETH-SEPOLIA',
  });
});

test("a user's wallet is found by its address, and the user approves", async () => {
  const { wallets } = await makePayer(stack);
  const { address, blockchain } = wallets[0]!;
  const flow = await stack.flows.transfer.start(transferOf(wallets[0]!, { from: { address, blockchain } }));
  await approveNext(stack, flow as unknown as Onboarding);
  expect(await flow.result()).toMatchObject({ status: 'completed' });
});

test.each<[Blockchain, string, 'native' | 'usdc']>([
  ['ETH-SEPOLIA', RECIPIENT, 'native'],
  ['SOL-DEVNET', SOLANA_ADDRESS, 'native'],
  ['SOL-DEVNET', SOLANA_ADDRESS, 'usdc'],
  ['APTOS-TESTNET', APTOS_ADDRESS, 'native'],
  ['APTOS-TESTNET', APTOS_ADDRESS, 'usdc'],
  ['ARC-TESTNET', RECIPIENT, 'native'],
])('on %s to %s: %s', async (blockchain, to, kind) => {
  const wallet = await fundedWallet(stack, { blockchain });
  const tokenId = kind === 'native' ? wallet.nativeId : wallet.usdcId;
  expect(await outcomeOf(transferOf(wallet, { to, tokenId, amount: '0.01' }))).toMatchObject({ status: 'completed' });
});
