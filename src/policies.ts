import { z } from 'zod';
import { Duration } from './config/duration';
import { ConfigurationError, schemaProblems } from './config/problem';
import { findChain } from './domain/chains';
import { isDecimal } from './domain/money';
import { EXISTING_USER, FEE_LEVELS, type Policy, STUCK_CHOICES, UNDEPLOYED_CHOICES } from './domain/policy';

const DEFAULT_NAME = 'default';
const NAME_PATTERN = /^[a-z0-9-]{1,40}$/;
const DAY_MS = 24 * 60 * 60_000;

/** The default for a version without `onboarding`. */
const ONBOARDING: Policy['onboarding'] = { existingUser: 'ask', remindersMs: [] };

/** The default for a version without `signing`. */
const SIGNING: Policy['signing'] = { undeployed: 'ask' };

/** The base fee of EIP-1559 rises by at most an eighth per block, so this covers two full blocks. */
const FEE_HEADROOM_PERCENT = 25;
const MAX_FEE_HEADROOM_PERCENT = 1_000;
const HEADROOM_ERROR = `must be a whole number from 0 to ${MAX_FEE_HEADROOM_PERCENT}; write percent, such as ${FEE_HEADROOM_PERCENT}`;

/** The policies without a file. */
const BUILT_IN: PolicyFile = {
  [DEFAULT_NAME]: [
    {
      version: 1,
      transfer: {
        feeLevel: 'MEDIUM',
        feeHeadroomPercent: FEE_HEADROOM_PERCENT,
        unresolvedAfterMs: DAY_MS,
        stuck: 'ask',
        approvalMaxAgeMs: DAY_MS,
      },
      onboarding: ONBOARDING,
      signing: SIGNING,
    },
  ],
};

/** Amounts of native tokens by blockchain. An amount may not have more decimals than the token. */
const MaxNetworkFee = z
  .record(z.string(), z.string({ error: 'must be a string; write "0.01"' }))
  .superRefine((fees, context) => {
    for (const [blockchain, amount] of Object.entries(fees)) {
      const message = feeProblem(blockchain, amount);
      if (message) context.addIssue({ code: 'custom', path: [blockchain], message });
    }
  });

/**
 * `feeLevel` and `stuck` have no default, so that a version means the same in every release. Without `firstReadAfter` a
 * flow reads its transaction at once; without `unresolvedAfter` it never shows `unresolved`; without `approvalMaxAge` the
 * age is 24 hours; without `feeHeadroom` it is 25 percent; a blockchain without an amount in `maxNetworkFee` has no maximum.
 */
const TransferPolicySchema = z
  .strictObject({
    feeLevel: z.enum(FEE_LEVELS, { error: `must be one of ${FEE_LEVELS.join(', ')}; choose one` }),
    maxNetworkFee: MaxNetworkFee.optional(),
    feeHeadroom: z
      .int({ error: HEADROOM_ERROR })
      .min(0, HEADROOM_ERROR)
      .max(MAX_FEE_HEADROOM_PERCENT, HEADROOM_ERROR)
      .default(FEE_HEADROOM_PERCENT),
    firstReadAfter: Duration.optional(),
    unresolvedAfter: Duration.optional(),
    stuck: z.enum(STUCK_CHOICES, { error: `must be one of ${STUCK_CHOICES.join(', ')}; choose one` }),
    approvalMaxAge: Duration.default(DAY_MS),
    preflight: z.boolean({ error: 'must be true or false; choose one' }).optional(),
  })
  .transform(
    ({ maxNetworkFee, feeHeadroom, firstReadAfter, unresolvedAfter, approvalMaxAge, ...rest }): Policy['transfer'] => ({
      ...rest,
      ...(maxNetworkFee && { maxNetworkFee }),
      feeHeadroomPercent: feeHeadroom,
      ...(firstReadAfter && { firstReadAfterMs: firstReadAfter }),
      ...(unresolvedAfter && { unresolvedAfterMs: unresolvedAfter }),
      approvalMaxAgeMs: approvalMaxAge,
    }),
  );

const OnboardingPolicySchema = z
  .strictObject({
    existingUser: z.enum(EXISTING_USER, { error: `must be one of ${EXISTING_USER.join(', ')}; choose one` }),
    reminders: z
      .array(Duration, { error: 'must be a list of durations; write ["1 hour", "2 days"]' })
      .refine((durations) => durations.every((each, index) => index === 0 || each > durations[index - 1]!), {
        error: 'are not in ascending order; make each longer than the one before',
      })
      .optional(),
  })
  .transform(({ existingUser, reminders = [] }): Policy['onboarding'] => ({ existingUser, remindersMs: reminders }));

const SigningPolicySchema = z.strictObject({
  undeployed: z.enum(UNDEPLOYED_CHOICES, { error: `must be one of ${UNDEPLOYED_CHOICES.join(', ')}; choose one` }),
});

const VersionsSchema = z
  .array(
    z.strictObject({
      version: z.int({ error: 'must be a whole number; count up from 1' }),
      requireInitiator: z.boolean({ error: 'must be true or false; choose one' }).optional(),
      transfer: TransferPolicySchema,
      onboarding: OnboardingPolicySchema.default(ONBOARDING),
      signing: SigningPolicySchema.default(SIGNING),
    }),
    { error: 'must be a list of versions; write [{ "version": 1, "transfer": { … } }]' },
  )
  .min(1, 'has no version; add { "version": 1, … }, or remove the policy')
  .superRefine((versions, context) => {
    versions.forEach(({ version }, index) => {
      if (version === index + 1) return;
      context.addIssue({
        code: 'custom',
        path: [index, 'version'],
        message: `is ${version}, but must be ${index + 1}; list all versions in order from 1, and keep old ones`,
      });
    });
  });

/**
 * ```json
 * { "retail-eu": [{ "version": 1, "transfer": { "feeLevel": "MEDIUM", "unresolvedAfter": "24 hours", "stuck": "ask",
 *                   "maxNetworkFee": { "ETH": "0.01" } },
 *                   "onboarding": { "existingUser": "adopt", "reminders": ["1 hour", "2 days"] } }] }
 * ```
 * New flows use the highest version. Older versions stay in the file, so that the versions recorded by flows can be
 * looked up and version numbers are never reused.
 */
const PolicyFileSchema = z.record(
  z.string().regex(NAME_PATTERN, 'is not a policy name; use 1 to 40 of a-z, 0-9 and "-"'),
  VersionsSchema,
  { error: 'must be an object; write { "<policy>": [ … ] }' },
);

type PolicyFile = z.output<typeof PolicyFileSchema>;

/** The input of a flow names a policy that this worker does not have. */
export class UnknownPolicyError extends Error {
  override readonly name = 'UnknownPolicyError';

  constructor(policy: string, known: readonly string[]) {
    super(
      `There is no policy ${JSON.stringify(policy.slice(0, 40))}; configured are ${known.join(', ')}. Use one of these, ` +
        'or add the policy to the file in WALLETFLOW_POLICIES_FILE of the workers.',
    );
  }
}

export interface Policies {
  /**
   * The highest version of a policy. Without a name, that of `default`.
   * @throws UnknownPolicyError
   */
  find(name?: string): Policy;
  /** All names, sorted. */
  names(): readonly string[];
}

/**
 * Loads the policies of a file. If the file has no `default`, there is a built-in `default@1`: fee level MEDIUM,
 * unresolved after 24 hours, a decision for a stuck transaction, an existing user or a wallet that is not deployed, no
 * reminders.
 * @param json parsed content of the file; without it, there is only the built-in policy
 * @param source path of the file, for messages
 * @throws ConfigurationError with all problems
 */
export function loadPolicies(json: unknown = {}, source = 'policies'): Policies {
  const parsed = PolicyFileSchema.safeParse(json);
  if (!parsed.success) throw new ConfigurationError(schemaProblems(parsed.error, source));
  const policies = new Map(
    Object.entries({ ...BUILT_IN, ...parsed.data }).map(([name, versions]) => [name, { name, ...versions.at(-1)! }]),
  );
  const names = [...policies.keys()].sort();
  return {
    find(name = DEFAULT_NAME) {
      const policy = policies.get(name);
      if (!policy) throw new UnknownPolicyError(name, names);
      return policy;
    },
    names: () => names,
  };
}

function feeProblem(blockchain: string, amount: string): string | undefined {
  const chain = findChain(blockchain);
  if (!chain) return 'is not a blockchain of the API; use a name such as "ETH" or "MATIC-AMOY"';
  if (!chain.native || !chain.transfers) return 'is a blockchain whose wallets only sign; remove it';
  if (!isDecimal(amount)) return `${JSON.stringify(amount)} is not a decimal amount; write digits like "0.01"`;
  const { symbol, decimals } = chain.native;
  if ((amount.split('.')[1]?.length ?? 0) <= decimals) return undefined;
  return `has more decimals than ${symbol} (${decimals}); shorten it`;
}
