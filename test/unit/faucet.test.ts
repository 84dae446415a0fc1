import { arrivedOf, describeDeposits, dripWindow, expectedDeposits } from '../../src/domain/faucet';
import { coinOf, type TokenIdentity } from '../../src/domain/stablecoins';

const ARC_USDC = '0x3600000000000000000000000000000000000000';
const SEPOLIA_USDC = '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238';
const eth: TokenIdentity = { blockchain: 'ETH-SEPOLIA', isNative: true, symbol: 'ETH' };
const usdc: TokenIdentity = { blockchain: 'ETH-SEPOLIA', isNative: false, symbol: 'USDC', tokenAddress: SEPOLIA_USDC };
const arcNative: TokenIdentity = { blockchain: 'ARC-TESTNET', isNative: true, symbol: 'USDC' };
const arcContract: TokenIdentity = { ...arcNative, isNative: false, tokenAddress: ARC_USDC };
const imitation: TokenIdentity = { ...usdc, tokenAddress: '0x1111111111111111111111111111111111111111' };
const nft: TokenIdentity = { blockchain: '', isNative: false };

const deposit = (token: TokenIdentity, amount: string, state = 'COMPLETE') => ({
  id: `${token.tokenAddress} ${amount} ${state}`,
  token,
  amount,
  state,
});

test.each([
  ['ETH-SEPOLIA', { native: true, usdc: true, eurc: true }, ['ETH', 'USDC', 'EURC']],
  ['SOL-DEVNET', { native: true }, ['SOL']],
  ['ARC-TESTNET', { native: true, usdc: true }, ['USDC']],
  ['ARC-TESTNET', { native: true }, ['USDC']],
  ['ARC-TESTNET', { native: true, eurc: true }, ['USDC', 'EURC']],
])('on %s a request for %j leads to deposits of %j', (blockchain, tokens, coins) => {
  expect(expectedDeposits(blockchain, tokens).map(({ coin }) => coin)).toEqual(coins);
});

test.each<[string, TokenIdentity, string | undefined]>([
  ['a native token', eth, 'ETH'],
  ["the issuer's contract, in any case", usdc, 'USDC'],
  ['an imitation with the same symbol', imitation, undefined],
  ["Arc's native token", arcNative, 'USDC'],
  ["Arc's contract", arcContract, 'USDC'],
  ['an NFT', nft, undefined],
])('%s is the coin that it is', (_name, token, coin) => {
  expect(coinOf(token)).toBe(coin);
});

test('a deposit may be one of the request from the first start on, whatever the clocks of the two servers differ', () => {
  expect(dripWindow(new Date('2026-05-01T12:00:00.000Z'))).toBe('2026-05-01T11:59:00.000Z');
});

describe('what has arrived', () => {
  const expected = expectedDeposits('ETH-SEPOLIA', { native: true, usdc: true });

  test.each([
    ['an NFT', [deposit(nft, '1')]],
    ['an imitation', [deposit(imitation, '20')]],
    ['dust', [deposit(usdc, '9.999999')]],
    ['a failed deposit', [deposit(usdc, '20', 'FAILED')]],
    ['a deposit that is not final', [deposit(usdc, '20', 'CONFIRMED')]],
    ['an amount that is not a number', [deposit(usdc, '')]],
  ])('%s does not count', (_name, deposits) => {
    expect(arrivedOf(expected, deposits)).toEqual({ arrived: [], missing: expected });
  });

  test('each expected deposit counts once, however often its coin arrives', () => {
    const deposits = [deposit(usdc, '20'), deposit(usdc, '10'), deposit(eth, '0.01')];
    expect(arrivedOf(expected, deposits)).toEqual({ arrived: [deposits[2], deposits[0]], missing: [] });
  });

  // The API may list Arc's USDC as one row or as two.
  test.each([
    ['natively', [deposit(arcNative, '20')]],
    ['by its contract', [deposit(arcContract, '20')]],
    ['as both', [deposit(arcNative, '20'), deposit(arcContract, '20')]],
  ])('USDC on Arc, listed %s, is one deposit', (_name, deposits) => {
    const onArc = expectedDeposits('ARC-TESTNET', { native: true, usdc: true });
    expect(arrivedOf(onArc, deposits)).toEqual({ arrived: [deposits[0]], missing: [] });
  });

  test('the description names what is missing and what does not count, and no symbol that a stranger chose', () => {
    const deposits = [deposit(usdc, '20', 'FAILED'), deposit({ ...imitation, symbol: 'visit evil.example' }, '5')];
    expect(describeDeposits(expected, deposits)).toBe(
      'missing: ETH, USDC; arrived: 20 USDC (FAILED); 1 other deposit does not count',
    );
  });
});
