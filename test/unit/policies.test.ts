import { ConfigurationError } from '../../src/config/problem';
import { policyLabel } from '../../src/domain/policy';
import { loadPolicies, UnknownPolicyError } from '../../src/policies';

const transfer = { feeLevel: 'HIGH', stuck: 'accelerate' };

function problemsOf(json: unknown): string[] {
  try {
    loadPolicies(json, 'policies.json');
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ where, what }) => `${where}: ${what}`);
    throw error;
  }
  return [];
}

test('without a file default@1 applies', () => {
  const policies = loadPolicies();
  expect(policies.names()).toEqual(['default']);
  expect(policies.find()).toEqual({
    name: 'default',
    version: 1,
    transfer: {
      feeLevel: 'MEDIUM',
      feeHeadroomPercent: 25,
      unresolvedAfterMs: 86_400_000,
      stuck: 'ask',
      approvalMaxAgeMs: 86_400_000,
    },
    onboarding: { existingUser: 'ask', remindersMs: [] },
    signing: { undeployed: 'ask' },
  });
});

test('a policy without onboarding settings takes those of the built-in policy', () => {
  const policies = loadPolicies({
    keen: [{ version: 1, transfer, onboarding: { existingUser: 'adopt', reminders: ['1 hour', '2 days'] } }],
    plain: [{ version: 1, transfer }],
  });
  expect(policies.find('keen').onboarding).toEqual({ existingUser: 'adopt', remindersMs: [3_600_000, 172_800_000] });
  expect(policies.find('plain').onboarding).toEqual({ existingUser: 'ask', remindersMs: [] });
});

test('a policy without signing settings asks about a wallet that is not deployed', () => {
  const policies = loadPolicies({
    deploying: [{ version: 1, transfer, signing: { undeployed: 'deploy' } }],
    plain: [{ version: 1, transfer }],
  });
  expect(policies.find('deploying').signing).toEqual({ undeployed: 'deploy' });
  expect(policies.find('plain').signing).toEqual({ undeployed: 'ask' });
  expect(problemsOf({ odd: [{ version: 1, transfer, signing: { undeployed: 'sign' } }] })).toEqual([
    'policies.json odd[0].signing.undeployed: must be one of ask, deploy',
  ]);
});

test('a version may require a known initiator', () => {
  const policies = loadPolicies({
    strict: [{ version: 1, requireInitiator: true, transfer }],
    open: [{ version: 1, transfer }],
  });
  expect(policies.find('strict').requireInitiator).toBe(true);
  expect(policies.find('open')).not.toHaveProperty('requireInitiator');
  expect(problemsOf({ strict: [{ version: 1, requireInitiator: 'yes', transfer }] })).toEqual([
    'policies.json strict[0].requireInitiator: must be true or false',
  ]);
});

test('new flows use the highest version', () => {
  const policies = loadPolicies({
    'retail-eu': [
      { version: 1, transfer },
      {
        version: 2,
        transfer: {
          ...transfer,
          firstReadAfter: '5 minutes',
          unresolvedAfter: '90 minutes',
          approvalMaxAge: '10 minutes',
          feeHeadroom: 40,
          maxNetworkFee: { ETH: '0.01', 'SOL-DEVNET': '1' },
        },
      },
    ],
  });
  const policy = policies.find('retail-eu');
  expect(policyLabel(policy)).toBe('retail-eu@2');
  expect(policy.transfer).toEqual({
    feeLevel: 'HIGH',
    stuck: 'accelerate',
    firstReadAfterMs: 300_000,
    unresolvedAfterMs: 5_400_000,
    approvalMaxAgeMs: 600_000,
    maxNetworkFee: { ETH: '0.01', 'SOL-DEVNET': '1' },
    feeHeadroomPercent: 40,
  });
  expect(policies.names()).toEqual(['default', 'retail-eu']);
});

test('a policy named default in the file replaces the built-in one', () => {
  expect(loadPolicies({ default: [{ version: 1, transfer }] }).find().transfer).toEqual({
    ...transfer,
    feeHeadroomPercent: 25,
    approvalMaxAgeMs: 86_400_000,
  });
});

test.each([-1, 12.5, 1_001, '25'])('the headroom of fees cannot be %j', (feeHeadroom) => {
  expect(problemsOf({ odd: [{ version: 1, transfer: { ...transfer, feeHeadroom } }] })).toEqual([
    'policies.json odd[0].transfer.feeHeadroom: must be a whole number from 0 to 1000',
  ]);
});

test('the error for an unknown policy names the policies that exist', () => {
  const policies = loadPolicies({ payouts: [{ version: 1, transfer }] });
  expect(() => policies.find('payout')).toThrow(UnknownPolicyError);
  expect(() => policies.find('payout')).toThrow('There is no policy "payout"; configured are default, payouts.');
});

test('an older version cannot be selected', () => {
  const policies = loadPolicies({
    payouts: [
      { version: 1, transfer },
      { version: 2, transfer },
    ],
  });
  expect(() => policies.find('payouts@1')).toThrow(UnknownPolicyError);
});

test('names of built-in object properties are not policies', () => {
  expect(() => loadPolicies().find('constructor')).toThrow(UnknownPolicyError);
});

/** [problem, file, error messages] */
const INVALID: [string, unknown, string[]][] = [
  ['a list instead of an object', [], ['policies.json: must be an object']],
  ['an invalid name', { 'Retail EU': [{ version: 1, transfer }] }, ['policies.json Retail EU: is not a policy name']],
  ['no versions', { a: [] }, ['policies.json a: has no version']],
  ['an object instead of a list', { a: { version: 1, transfer } }, ['policies.json a: must be a list of versions']],
  [
    'a gap between versions',
    {
      a: [
        { version: 1, transfer },
        { version: 3, transfer },
      ],
    },
    ['policies.json a[1].version: is 3, but must be 2'],
  ],
  [
    'a repeated version',
    {
      a: [
        { version: 1, transfer },
        { version: 1, transfer },
      ],
    },
    ['policies.json a[1].version: is 1, but must be 2'],
  ],
  [
    'a first version other than 1',
    { a: [{ version: 2, transfer }] },
    ['policies.json a[0].version: is 2, but must be 1'],
  ],
  ['a fractional version', { a: [{ version: 1.5, transfer }] }, ['policies.json a[0].version: must be a whole number']],
  [
    'unknown fields',
    { a: [{ version: 1, transfer: { ...transfer, maxFee: '1' }, ramp: {} }] },
    ['policies.json a[0].transfer: has the unknown field "maxFee"', 'policies.json a[0]: has the unknown field "ramp"'],
  ],
  [
    'reminders out of order',
    { a: [{ version: 1, transfer, onboarding: { existingUser: 'ask', reminders: ['2 days', '1 hour'] } }] },
    ['policies.json a[0].onboarding.reminders: are not in ascending order'],
  ],
  [
    'a reaction to existing users that does not exist',
    { a: [{ version: 1, transfer, onboarding: { existingUser: 'merge' } }] },
    ['policies.json a[0].onboarding.existingUser: must be one of adopt, ask, refuse'],
  ],
  [
    'missing fields',
    { a: [{ version: 1, transfer: {} }] },
    [
      'policies.json a[0].transfer.feeLevel: must be one of LOW, MEDIUM, HIGH',
      'policies.json a[0].transfer.stuck: must be one of ask, accelerate, cancel, hold',
    ],
  ],
  ...[
    ['1 fortnight', '"1 fortnight" is not a duration'],
    ['86400', '"86400" is not a duration'],
    ['-1 hour', '"-1 hour" is not a duration'],
    ['0 hours', '"0 hours" is not a duration'],
    ['P1D', '"P1D" is not a duration'],
    [86_400_000, 'must be a string'],
  ].map(([unresolvedAfter, what]): [string, unknown, string[]] => [
    `the duration ${unresolvedAfter}`,
    { a: [{ version: 1, transfer: { ...transfer, unresolvedAfter } }] },
    [`policies.json a[0].transfer.unresolvedAfter: ${what}`],
  ]),
  ...[
    [{ ETHEREUM: '1' }, 'ETHEREUM: is not a blockchain of the API'],
    [{ constructor: '1' }, 'constructor: is not a blockchain of the API'],
    [{ EVM: '1' }, 'EVM: is a blockchain whose wallets only sign'],
    [{ NEAR: '1' }, 'NEAR: is a blockchain whose wallets only sign'],
    [{ ETH: '1e-2' }, 'ETH: "1e-2" is not a decimal amount'],
    [{ ETH: 0.01 }, 'ETH: must be a string'],
    [{ SOL: '0.0000000001' }, 'SOL: has more decimals than SOL (9)'],
  ].map(([maxNetworkFee, what]): [string, unknown, string[]] => [
    `the fees ${JSON.stringify(maxNetworkFee)}`,
    { a: [{ version: 1, transfer: { ...transfer, maxNetworkFee } }] },
    [`policies.json a[0].transfer.maxNetworkFee.${what as string}`],
  ]),
];

test.each(INVALID)('rejects %s', (_, json, problems) => {
  expect(problemsOf(json)).toEqual(problems);
});

test('every problem of a file is reported at once, each with a remedy', () => {
  const broken = {
    A: [{ version: 1, transfer }],
    b: [],
    c: [{ version: 1, transfer: { ...transfer, stuck: 'wait' } }],
  };
  expect(() => loadPolicies(broken, 'policies.json')).toThrow(
    `The configuration has 3 problems:
  policies.json A: is not a policy name. Use 1 to 40 of a-z, 0-9 and "-".
  policies.json b: has no version. Add { "version": 1, … }, or remove the policy.
  policies.json c[0].transfer.stuck: must be one of ask, accelerate, cancel, hold. Choose one.`,
  );
});
