import fc from 'fast-check';
import { fromBaseUnits, toBaseUnits } from '../../src/domain/money';
import {
  type FeeChoice,
  type FeePayer,
  type FeeQuote,
  feeProblem,
  greatestFee,
  levelsOf,
} from '../../src/domain/networkFee';
import type { FeeLevel } from '../../src/domain/policy';

/** Estimates for 65,000 units of gas, as each family shows them. */
type Quotes = Partial<Record<FeeLevel, FeeQuote>>;
const EIP1559: Quotes = {
  LOW: { gasLimit: '65000', maxFee: '26', networkFee: '0.00169' },
  MEDIUM: { gasLimit: '65000', maxFee: '31', networkFee: '0.002015' },
  HIGH: { gasLimit: '65000', maxFee: '41.5', networkFee: '0.0026975' },
};
const LEGACY: Quotes = {
  LOW: { gasLimit: '65000', gasPrice: '21', networkFee: '0.001365' },
  MEDIUM: { gasLimit: '65000', gasPrice: '25.2', networkFee: '0.001638' },
  HIGH: { gasLimit: '65000', gasPrice: '31.5', networkFee: '0.0020475' },
};
/** With the fee of an L1, once named and once only part of the total. */
const ROLLUP: Quotes = {
  MEDIUM: { gasLimit: '65000', maxFee: '31', l1Fee: '0.0001', networkFee: '0.002115' },
  HIGH: { gasLimit: '65000', maxFee: '41.5', networkFee: '0.0027975' },
};
const FLAT: Quotes = {
  LOW: { networkFee: '0.000005' },
  MEDIUM: { networkFee: '0.000006' },
  HIGH: { networkFee: '0.0000075' },
};
const PRICES_ONLY: Quotes = { MEDIUM: { maxFee: '31' } };
const TOTALS_ONLY: Quotes = { MEDIUM: { networkFee: '0.002' } };
const NOTHING: Quotes = {};
const ODD: Quotes = { MEDIUM: { networkFee: '1e-3' } };

const ESTIMATES = { EIP1559, LEGACY, ROLLUP, FLAT, PRICES_ONLY, TOTALS_ONLY, NOTHING, ODD };
const PAYERS = {
  EOA: { family: 'evm', accountType: 'EOA' },
  SCA: { family: 'evm', accountType: 'SCA' },
  SOLANA: { family: 'solana', accountType: 'EOA' },
  APTOS: { family: 'aptos', accountType: 'EOA' },
  NEAR: { family: 'near', accountType: 'EOA' },
  UNKNOWN: { accountType: 'EOA' },
} satisfies Record<string, FeePayer>;

/** Form of fee × blockchain → the greatest fee that can be paid; undefined: not known, so a person is asked. */
type Case = [
  form: string,
  choice: FeeChoice,
  estimate: keyof typeof ESTIMATES,
  payer: keyof typeof PAYERS,
  fee: string | undefined,
];
const CASES: Case[] = [
  ['a level', { feeLevel: 'LOW' }, 'EIP1559', 'EOA', '0.00169'],
  ['a level', { feeLevel: 'MEDIUM' }, 'EIP1559', 'EOA', '0.002015'],
  ['a level', { feeLevel: 'HIGH' }, 'EIP1559', 'EOA', '0.0026975'],
  ['a level', { feeLevel: 'MEDIUM' }, 'LEGACY', 'EOA', '0.001638'],
  ['a level', { feeLevel: 'MEDIUM' }, 'ROLLUP', 'EOA', '0.002115'],
  ['a level', { feeLevel: 'MEDIUM' }, 'TOTALS_ONLY', 'EOA', '0.002'],
  ['a level', { feeLevel: 'MEDIUM' }, 'PRICES_ONLY', 'EOA', undefined],
  ['a level', { feeLevel: 'MEDIUM' }, 'NOTHING', 'EOA', undefined],
  ['a level', { feeLevel: 'MEDIUM' }, 'ODD', 'EOA', undefined],
  ['a level', { feeLevel: 'MEDIUM' }, 'FLAT', 'SOLANA', '0.000006'],
  ['a level', { feeLevel: 'HIGH' }, 'FLAT', 'APTOS', '0.0000075'],
  ['a level', { feeLevel: 'LOW' }, 'FLAT', 'NEAR', '0.000005'],
  ['a level', { feeLevel: 'MEDIUM' }, 'TOTALS_ONLY', 'UNKNOWN', '0.002'],
  // A sponsored transaction costs the wallet nothing, but the sponsor the whole fee.
  ['a level', { feeLevel: 'MEDIUM' }, 'EIP1559', 'SCA', '0.002015'],

  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '65000' }, 'EIP1559', 'EOA', '0.002015'],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '650000' }, 'EIP1559', 'EOA', '0.02015'],
  ['a level and a gas limit', { feeLevel: 'LOW', gasLimit: '650000' }, 'LEGACY', 'EOA', '0.01365'],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '650000' }, 'ROLLUP', 'EOA', '0.02025'],
  ['a level and a gas limit', { feeLevel: 'HIGH', gasLimit: '650000' }, 'ROLLUP', 'EOA', '0.027075'],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '650000' }, 'PRICES_ONLY', 'EOA', '0.02015'],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '650000' }, 'TOTALS_ONLY', 'EOA', undefined],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '65000.5' }, 'EIP1559', 'EOA', undefined],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '65000' }, 'EIP1559', 'SCA', undefined],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '200000' }, 'FLAT', 'SOLANA', undefined],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '2000' }, 'FLAT', 'APTOS', undefined],
  ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '65000' }, 'EIP1559', 'UNKNOWN', undefined],

  ['own prices', { maxFee: '32', priorityFee: '1', gasLimit: '65000' }, 'EIP1559', 'EOA', '0.00208'],
  ['own prices', { maxFee: '32.000000001', priorityFee: '1', gasLimit: '1' }, 'EIP1559', 'EOA', '0.000000032000000001'],
  ['own prices', { maxFee: '32', priorityFee: '1', gasLimit: '65000' }, 'ROLLUP', 'EOA', '0.00218'],
  ['own prices', { maxFee: '32', priorityFee: '1', gasLimit: '65000' }, 'EIP1559', 'SCA', undefined],
  ['own prices', { maxFee: '32', gasLimit: '65000' }, 'EIP1559', 'EOA', '0.00208'],
  ['own prices', { priorityFee: '1', gasLimit: '65000' }, 'EIP1559', 'EOA', undefined],
  ['own prices', { gasPrice: '40', gasLimit: '65000' }, 'LEGACY', 'EOA', '0.0026'],
  ['own prices', { gasPrice: '40', maxFee: '50', gasLimit: '65000' }, 'LEGACY', 'EOA', '0.00325'],
  ['own prices', { gasPrice: '40', gasLimit: '65000' }, 'FLAT', 'SOLANA', undefined],
  ['own prices', { gasPrice: '40' }, 'LEGACY', 'EOA', undefined],
  ['own prices', { gasPrice: '4e1', gasLimit: '65000' }, 'LEGACY', 'EOA', undefined],
  ['own prices', { gasPrice: `0.${'0'.repeat(27)}1`, gasLimit: '65000' }, 'LEGACY', 'EOA', undefined],

  ['a gas limit alone', { gasLimit: '65000' }, 'EIP1559', 'EOA', '0.0026975'],
  ['a gas limit alone', { gasLimit: '650000' }, 'LEGACY', 'EOA', '0.020475'],
  ['a gas limit alone', { gasLimit: '650000' }, 'ROLLUP', 'EOA', undefined],
  ['a gas limit alone', { gasLimit: '65000' }, 'EIP1559', 'SCA', undefined],
  ['a gas limit alone', { gasLimit: '200000' }, 'FLAT', 'SOLANA', undefined],

  ['nothing', {}, 'EIP1559', 'EOA', '0.0026975'],
  ['nothing', {}, 'FLAT', 'APTOS', '0.0000075'],
  ['nothing', {}, 'ROLLUP', 'EOA', undefined],
];

const quotesFor = (choice: FeeChoice, quotes: Quotes) => levelsOf(choice).map((level) => quotes[level] ?? {});
const policyWith = (maxNetworkFee?: Record<string, string>) => ({
  name: 'retail',
  transfer: { feeLevel: 'MEDIUM', stuck: 'ask', approvalMaxAgeMs: 0, ...(maxNetworkFee && { maxNetworkFee }) } as const,
});

describe('the greatest fee of a transfer', () => {
  test.each(CASES)('%s: %j, estimate %s, paid by %s: %s', (_form, choice, estimate, payer, expected) => {
    const fee = greatestFee(choice, quotesFor(choice, ESTIMATES[estimate]), PAYERS[payer]);
    expect(fee).toBe(expected);
    expect(feeProblem(policyWith(), 'ETH', fee)).toBeUndefined();
    expect(feeProblem(policyWith({ MATIC: '0' }), 'ETH', fee)).toBeUndefined();
    if (fee === undefined) return expect(feeProblem(policyWith({ ETH: '1000' }), 'ETH', fee)).toContain('not known');
    const below = fromBaseUnits(toBaseUnits(fee, 18) - 1n, 18);
    expect(feeProblem(policyWith({ ETH: fee }), 'ETH', fee)).toBeUndefined();
    expect(feeProblem(policyWith({ ETH: below }), 'ETH', fee)).toBe(
      `the network fee may be ${fee}; policy retail allows ${below}`,
    );
  });

  test.each<[string, FeeChoice, keyof typeof ESTIMATES, keyof typeof PAYERS, string]>([
    ['a level', { feeLevel: 'MEDIUM' }, 'EIP1559', 'EOA', '0.00251875'],
    ['a level, with the fee of an L1', { feeLevel: 'MEDIUM' }, 'ROLLUP', 'EOA', '0.00264375'],
    ['a level', { feeLevel: 'HIGH' }, 'FLAT', 'APTOS', '0.000009375'],
    ['a level', { feeLevel: 'MEDIUM' }, 'EIP1559', 'SCA', '0.00251875'],
    ['a level and a gas limit', { feeLevel: 'MEDIUM', gasLimit: '650000' }, 'EIP1559', 'EOA', '0.0251875'],
    ['own prices', { maxFee: '32', priorityFee: '1', gasLimit: '65000' }, 'EIP1559', 'EOA', '0.00208'],
    ['own prices, with the fee of an L1', { maxFee: '32', gasLimit: '65000' }, 'ROLLUP', 'EOA', '0.002205'],
    ['own prices', { gasPrice: '40', gasLimit: '65000' }, 'LEGACY', 'EOA', '0.0026'],
  ])(
    'may rise by 25 percent, except for own prices: %s: %j, estimate %s, paid by %s: %s',
    (_form, choice, estimate, payer, expected) => {
      expect(greatestFee(choice, quotesFor(choice, ESTIMATES[estimate]), PAYERS[payer], 25)).toBe(expected);
    },
  );

  test('with headroom is rounded up', () => {
    const quote = { networkFee: `0.${'0'.repeat(35)}1` };
    expect(greatestFee({ feeLevel: 'LOW' }, [quote], PAYERS.SOLANA, 1)).toBe(`0.${'0'.repeat(35)}2`);
  });

  test('is the gas limit times the price, for every price and every gas limit', () => {
    const price = fc.tuple(fc.nat({ max: 1_000_000 }), fc.nat({ max: 999_999_999 }));
    fc.assert(
      fc.property(price, fc.nat(), fc.constantFrom('maxFee', 'gasPrice'), ([whole, fraction], gasLimit, field) => {
        const text = `${whole}.${String(fraction).padStart(9, '0')}`;
        const choice = { [field]: text, gasLimit: String(gasLimit) };
        const fee = greatestFee(choice, quotesFor(choice, EIP1559), PAYERS.EOA);
        expect(toBaseUnits(fee!, 18)).toBe(toBaseUnits(text, 9) * BigInt(gasLimit));
      }),
    );
  });
});
