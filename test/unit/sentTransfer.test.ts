import fc from 'fast-check';
import {
  contentDifferences,
  type ExpectedTransfer,
  type ShownTransfer,
  transferDifferences,
} from '../../src/domain/sentTransfer';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOLANA = 'GkbUa3gdJvzXfvTMGhNDSCWH1jvVjSq7SSGUAQUtHwxr';
const EFFECT = { flow: 'transfer', ref: 'inv-42', step: 'submit', ordinal: 1, keyId: 'k1' };

const SENT: ExpectedTransfer = {
  walletId: 'wallet',
  tokenId: 'token',
  destinationAddress: EVM,
  amounts: ['10.50'],
  blockchain: 'ETH',
  effect: { flow: 'transfer', ref: 'inv-42', step: 'submit' },
};
const SHOWN: ShownTransfer = {
  effect: EFFECT,
  walletId: 'wallet',
  tokenId: 'token',
  destinationAddress: EVM,
  amounts: ['10.5'],
};

/** What the transaction shows instead, what was sent instead → the fields that differ. */
const CASES: [shown: Partial<ShownTransfer>, sent: Partial<ExpectedTransfer>, differences: string[]][] = [
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
  expect(transferDifferences({ ...SHOWN, ...shown }, { ...SENT, ...sent })).toEqual(differences);
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
      const differences = transferDifferences(each, SENT);
      expect(differences.includes('refId')).toBe(each.effect === undefined);
    }),
  );
});
