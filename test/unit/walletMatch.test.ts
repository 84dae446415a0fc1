import { type RequestedWallets, type ShownWallet, walletDifferences } from '../../src/domain/walletMatch';

const REQUESTED: RequestedWallets = {
  userId: 'user',
  blockchains: ['ETH', 'SOL'],
  accountType: 'EOA',
  metadata: [{ name: 'main', refId: 'r1' }, {}],
};
const ETH: ShownWallet = { blockchain: 'ETH', accountType: 'EOA', userId: 'user', name: 'main', refId: 'r1' };
const SOL: ShownWallet = { blockchain: 'SOL', accountType: 'EOA', userId: 'user' };

const CASES: [wallets: ShownWallet[], differences: string[]][] = [
  [[ETH, SOL], []],
  [[SOL, ETH], []],
  [[{ blockchain: 'ETH' }, { blockchain: 'SOL' }], []],
  [[ETH, { ...SOL, name: 'not requested' }], []],
  [[ETH], ['count']],
  [[ETH, SOL, SOL], ['count']],
  [[ETH, ETH], ['blockchain']],
  [[ETH, { ...SOL, blockchain: 'NEAR' }], ['blockchain']],
  [[{ ...ETH, accountType: 'SCA' }, SOL], ['accountType']],
  [[ETH, { ...SOL, userId: 'other' }], ['userId']],
  [
    [{ ...ETH, name: 'theirs', refId: 'r2' }, SOL],
    ['name', 'refId'],
  ],
];

test.each(CASES)('%j differ in %j', (wallets, differences) => {
  expect(walletDifferences(wallets, REQUESTED)).toEqual(differences);
});
