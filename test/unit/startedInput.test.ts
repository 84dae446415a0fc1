import { startedInputProblems } from '../../activities/startedInput';
import { parseInput } from '../../src/flows/parseInput';

const ID = '8f1c0b52-6f3c-4b9e-9c57-0d6e3b1a2c4d';
const TRANSFER = { from: { walletId: ID }, to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', tokenId: ID, amount: '1' };
const WALLETS = { userId: 'user-1', blockchains: ['ETH-SEPOLIA'] };

test.each([
  ['transfer', { ...TRANSFER, tokenId: ID.toUpperCase(), deadline: '3 days' }],
  ['addUserWallets', WALLETS],
  [
    'onboardUser',
    { method: 'pin', userId: 'user-1', wallets: [{ blockchains: ['ETH-SEPOLIA'] }], deadline: '90.5 ms' },
  ],
] as const)('a flow of the type %s accepts its input as `start` sends it', (name, input) => {
  const { data } = parseInput(name, input);
  expect(startedInputProblems(name, data!)).toEqual([]);
});

test.each([
  ['transfer', { ...TRANSFER, deadline: '3 days' }, 'deadline'],
  ['transfer', { ...TRANSFER, from: { walletId: ID.toUpperCase() } }, 'from'],
  ['addUserWallets', WALLETS, 'accountType'],
] as const)('a flow of the type %s refuses what `start` would have changed', (name, input, field) => {
  expect(startedInputProblems(name, input)).toEqual([expect.stringMatching(new RegExp(`^${field}: `))]);
});
