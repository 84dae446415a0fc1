import fc from 'fast-check';
import {
  contentDifferences,
  type ExpectedTransaction,
  type ShownTransaction,
  transactionDifferences,
} from '../../src/domain/sentTransaction';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOLANA = 'GkbUa3gdJvzXfvTMGhNDSCWH1jvVjSq7SSGUAQUtHwxr';
const EFFECT = { flow: 'transfer', ref: 'inv-42', step: 'submit', ordinal: 1, keyId: 'k1' };

const SENT: ExpectedTransaction = {
  walletId: 'wallet',
  tokenId: 'token',
  destinationAddress: EVM,
  amounts: ['10.50'],
  blockchain: 'ETH',
  effect: { flow: 'transfer', ref: 'inv-42', step: 'submit' },
};
const SHOWN: ShownTransaction = {
  effect: EFFECT,
  walletId: 'wallet',
  tokenId: 'token',
  destinationAddress: EVM,
  amounts: ['10.5'],
};

/** What the transaction shows instead, what was sent instead → the fields that differ. */
const CASES: [shown: Partial<ShownTransaction>, sent: Partial<ExpectedTransaction>, differences: string[]][] = [
  [{}, {}, []],
  [{ effect: { ...EFFECT, ordinal: 2, keyId: 'k2' } }, {}, []],
  [{ effect: undefined }, {}, ['refId']],
  [{ effect: { ...EFFECT, ref: 'inv-43' } }, {}, ['refId']],
  [{ effect: { ...EFFECT, flow: 'other' } }, {}, ['refId']],
  [{ effect: { ...EFFECT, step: 'accelerate' } }, {}, ['refId']],
  [{ walletId: undefined, tokenId: undefined, destinationAddress: undefined, amounts: undefined }, {}, []],
  [{ walletId: 'other' }, {}, ['walletId']],
  [{ tokenId: 'other' }, {}, ['tokenId']],
  [{ destinationAddress: '' }, {}, ['destinationAddress']],
  [{ destinationAddress: EVM.toLowerCase() }, {}, []],
  [{ destinationAddress: EVM.replace(/ed$/, 'ee') }, {}, ['destinationAddress']],
  [{ destinationAddress: SOLANA }, { destinationAddress: SOLANA, blockchain: 'SOL' }, []],
  [
    { destinationAddress: SOLANA.toLowerCase() },
    { destinationAddress: SOLANA, blockchain: 'SOL' },
    ['destinationAddress'],
  ],
  [{ destinationAddress: '0x1' }, { destinationAddress: '0x01', blockchain: 'APTOS' }, []],
  [{ amounts: [] }, {}, ['amounts']],
  [{ amounts: ['10.50', '0'] }, {}, ['amounts']],
  [{ amounts: ['10.500000'] }, {}, []],
  [{ amounts: ['10.50000000000000000000000001'] }, {}, ['amounts']],
  [{ amounts: ['10.5e0'] }, {}, ['amounts']],
  [{ nftTokenIds: ['1'] }, {}, ['nftTokenIds']],
  [{ amounts: ['1', '2'] }, { amounts: ['1', '2'], nftTokenIds: ['7', '8'] }, []],
  [{ amounts: ['1', '2'], nftTokenIds: ['7', '8'] }, { amounts: ['1', '2'], nftTokenIds: ['7', '8'] }, []],
  [{ amounts: ['1', '2'], nftTokenIds: ['8', '7'] }, { amounts: ['1', '2'], nftTokenIds: ['7', '8'] }, ['nftTokenIds']],
  [{ amounts: ['2', '1'], nftTokenIds: ['8', '7'] }, { amounts: ['1', '2'], nftTokenIds: ['7', '8'] }, []],
  [{ amounts: ['1'], nftTokenIds: ['0x0b'] }, { amounts: ['1'], nftTokenIds: ['011'] }, []],
  [{ amounts: ['1'], nftTokenIds: [] }, { amounts: ['1'], nftTokenIds: ['7'] }, ['nftTokenIds']],
  [
    { effect: undefined, walletId: 'x', tokenId: 'x', destinationAddress: 'x', amounts: ['7'] },
    {},
    ['refId', 'walletId', 'destinationAddress', 'tokenId', 'amounts'],
  ],
];

test.each(CASES)('a transaction that shows %j, for %j, differs in %j', (shown, sent, differences) => {
  expect(transactionDifferences({ ...SHOWN, ...shown }, { ...SENT, ...sent })).toEqual(differences);
});

test('content is compared without the reference', () => {
  expect(contentDifferences({ ...SHOWN, amounts: ['7'] }, SENT)).toEqual(['amounts']);
  const { effect: _, ...unreferenced } = SHOWN;
  expect(contentDifferences(unreferenced, SENT)).toEqual([]);
});

test('no shown transaction throws, and one without our reference always differs', () => {
  const text = fc.option(fc.string(), { nil: undefined });
  const shown = fc.record({
    walletId: text,
    tokenId: text,
    destinationAddress: text,
    amounts: fc.option(fc.array(fc.string()), { nil: undefined }),
    effect: fc.constantFrom(EFFECT, undefined),
  });
  fc.assert(
    fc.property(shown, (each) => {
      const differences = transactionDifferences(each, SENT);
      expect(differences.includes('refId')).toBe(each.effect === undefined);
    }),
  );
});

const CALL: ExpectedTransaction = {
  walletId: 'wallet',
  contractAddress: EVM,
  abiFunctionSignature: 'pay(address,uint256,(bool,bytes)[])',
  abiParameters: [EVM, '250000', [[true, '0xab']]],
  amount: '0.50',
  blockchain: 'ETH',
  effect: { flow: 'executeContract', ref: 'inv-42', step: 'submit' },
};
const SHOWN_CALL: ShownTransaction = {
  effect: { ...EFFECT, flow: 'executeContract' },
  walletId: 'wallet',
  contractAddress: EVM.toLowerCase(),
  abiFunctionSignature: 'pay(address,uint256,(bool,bytes)[])',
  abiParameters: [EVM.toLowerCase(), 250000, [['true', '0xAB']]],
  amounts: ['0.5'],
};
const DATA = { abiFunctionSignature: undefined, abiParameters: undefined };

test.each<[shown: Partial<ShownTransaction>, sent: object, differences: string[]]>([
  [{}, {}, []],
  [{ walletId: undefined, contractAddress: undefined, ...DATA, amounts: undefined }, {}, []],
  [{ abiFunctionSignature: '', abiParameters: [], amounts: [] }, {}, []],
  [{ walletId: 'other' }, {}, ['walletId']],
  [{ contractAddress: EVM.replace(/ed$/, 'ee') }, {}, ['contractAddress']],
  [{ abiFunctionSignature: 'pay(address)' }, {}, ['abiFunctionSignature']],
  [{ abiParameters: [EVM, '250001', [[true, '0xab']]] }, {}, ['abiParameters']],
  [{ abiParameters: [EVM, '250000', [[false, '0xab']]] }, {}, ['abiParameters']],
  [{ abiParameters: [EVM, '250000', [[true, '0x00ab']]] }, {}, ['abiParameters']],
  [{ abiParameters: [EVM, '250000'] }, {}, ['abiParameters']],
  // As JSON reads a number with more digits than JavaScript keeps.
  [{ abiParameters: [Number(10n ** 18n + 1n)] }, { abiParameters: [String(10n ** 18n + 1n)] }, []],
  [{ abiParameters: [1e21] }, { abiParameters: [String(10n ** 21n)] }, []],
  [{ abiParameters: [[1e21]] }, { abiParameters: [[String(10n ** 21n)]] }, []],
  [{ abiParameters: [1e21] }, { abiParameters: [String(10n ** 22n)] }, ['abiParameters']],
  [{ abiParameters: [EVM, '250000', [{ paid: true, memo: '0xab' }]] }, {}, []],
  [{ abiFunctionSignature: 'decoded()', abiParameters: ['1'] }, DATA, []],
  [{ amounts: ['0.6'] }, {}, ['amounts']],
  [{ amounts: ['0.5', '0'] }, {}, []],
  [{ amounts: ['0.5', '0.5'] }, {}, ['amounts']],
  [{ amounts: ['1e3'] }, {}, ['amounts']],
  [{ amounts: ['0'] }, { amount: undefined }, []],
  [{ amounts: ['0.5'] }, { amount: undefined }, ['amounts']],
  [{ effect: undefined, destinationAddress: 'x', tokenId: 'x' }, {}, ['refId']],
])('a contract call that shows %j, for %j, differs in %j', (shown, sent, differences) => {
  expect(transactionDifferences({ ...SHOWN_CALL, ...shown }, { ...CALL, ...sent })).toEqual(differences);
});
