import { z } from 'zod';
import { SCA_CORES } from '../api/contract/resources';
import { BLOCKCHAINS } from '../domain/chains';
import { isDecimal } from '../domain/money';
import { PAYMASTER_REASONS } from './errors/errorReasons';
import { realMs, worldMs } from './kit/duration';

export const SSO_PROVIDERS = ['Google', 'Facebook', 'Apple'] as const;

export const SETTING_GROUPS = [
  'Requests',
  'Blockchains and wallets',
  'Entity',
  'Users and logins',
  'Webhooks',
  'Ramp',
  'Compliance',
] as const;

/** Texts for the page and for docs/emulator.md. */
interface SettingDoc {
  group: (typeof SETTING_GROUPS)[number];
  /** One line; code in backticks. */
  meaning: string;
  /** What null means, for a nullable setting. */
  nullMeaning?: string;
}

export const settingDocs = z.registry<SettingDoc>();

/** Settings of a world. `startEmulator`, the control API and the page change them. All have defaults. */
export const settingsSchema = z.strictObject({
  idempotency: z.enum(['reject', 'replay']).default('reject').register(settingDocs, {
    group: 'Requests',
    meaning: 'a reused key: `reject` responds `156020`, as the API reference says; `replay` repeats the first response',
  }),
  /** The API does not publish when a key counts as used. */
  keyUse: z.enum(['accepted', 'every']).default('accepted').register(settingDocs, {
    group: 'Requests',
    meaning:
      'which requests use up their key: `accepted`, or `every`, also rejected (4xx) and limited (`429`) ones; a later request with such a key is `156020`',
  }),
  limits: z.boolean().default(true).register(settingDocs, { group: 'Requests', meaning: 'whether rate limits apply' }),
  latency: z.strictObject({ meanMs: realMs, jitterMs: realMs }).nullable().default(null).register(settingDocs, {
    group: 'Requests',
    meaning: '`{meanMs, jitterMs}`: real time added to every request, uniformly distributed over mean ± jitter',
    nullMeaning: 'none',
  }),
  eip1559: z.partialRecord(z.enum(BLOCKCHAINS), z.boolean()).default({}).register(settingDocs, {
    group: 'Blockchains and wallets',
    meaning: "by blockchain: whether fees follow EIP-1559; overrides the blockchain's own",
  }),
  maxFeeNative: z.string().refine(isDecimal, 'must be a decimal string').default('1').register(settingDocs, {
    group: 'Blockchains and wallets',
    meaning: 'maximum fee of a transaction, in native tokens (`155211`)',
  }),
  noWallets: z.array(z.enum(BLOCKCHAINS)).default([]).register(settingDocs, {
    group: 'Blockchains and wallets',
    meaning: 'blockchains on which no wallet can be created (`155511`)',
  }),
  scaCore: z.enum(SCA_CORES).nullable().default('circle_6900_singleowner_v3').register(settingDocs, {
    group: 'Blockchains and wallets',
    meaning: 'core of new smart-contract wallets; null: their configuration is unusable (`155506`)',
    nullMeaning: 'unusable',
  }),
  /** A mainnet needs a policy before a smart-contract wallet is created (`155509`). Testnets always have one. */
  paymasterPolicies: z
    .partialRecord(z.enum(BLOCKCHAINS), z.enum(PAYMASTER_REASONS).nullable())
    .default({})
    .register(settingDocs, {
      group: 'Blockchains and wallets',
      meaning:
        'by blockchain: null pays the fees of smart-contract wallets; an `errorReason` refuses, with that reason',
      nullMeaning: 'pays',
    }),
  appId: z.string().nullable().default('0190a1b2-0000-7000-8000-000000000001').register(settingDocs, {
    group: 'Entity',
    meaning: 'null: the entity has no configuration (`156008`)',
    nullMeaning: 'no configuration',
  }),
  rotationDue: z.boolean().default(false).register(settingDocs, {
    group: 'Entity',
    meaning: 'whether requests that need the entity secret respond `156019`',
  }),
  /** The API does not publish its own lifetime. */
  challengeLifetimeMs: worldMs.positive().nullable().default(3_600_000).register(settingDocs, {
    group: 'Users and logins',
    meaning: 'how long a challenge can be approved; null: indefinitely',
    nullMeaning: 'indefinitely',
  }),
  smtp: z
    .enum(['ready', 'missing', 'invalid', 'unreachable', 'loginRefused', 'mailRefused', 'failing'])
    .default('ready')
    .register(settingDocs, {
      group: 'Users and logins',
      meaning:
        '`missing` `155150`, `invalid` `155151`, `unreachable` `155158`, `loginRefused` `155159`, `mailRefused` `155160`, `failing` `155138`',
    }),
  emailTemplate: z.enum(['ready', 'missing', 'invalid']).default('ready').register(settingDocs, {
    group: 'Users and logins',
    meaning: 'template of emails with one-time passwords: `missing` `155155`, `invalid` `155154`',
  }),
  ssoProviders: z
    .array(z.enum(SSO_PROVIDERS))
    .default([...SSO_PROVIDERS])
    .register(settingDocs, {
      group: 'Users and logins',
      meaning: 'configured providers: `Google`, `Facebook`, `Apple`; a login with any other is `155152`',
    }),
  webhookAnswerMs: realMs.int().positive().default(5_000).register(settingDocs, {
    group: 'Webhooks',
    meaning: 'real time that a webhook receiver has for its response',
  }),
  rampQuotes: z
    .boolean()
    .default(true)
    .register(settingDocs, { group: 'Ramp', meaning: "whether the ramp's partner offers quotes; if not, `110701`" }),
  rampQuoteMs: worldMs
    .positive()
    .default(60_000)
    .register(settingDocs, { group: 'Ramp', meaning: 'lifetime of a ramp quote, until its `expireDate`' }),
  rampSessionMs: worldMs
    .positive()
    .default(24 * 60 * 60_000)
    .register(settingDocs, { group: 'Ramp', meaning: 'how long a ramp session waits for its deposit' }),
  rampMarkup: z.number().int().nonnegative().default(0).register(settingDocs, {
    group: 'Ramp',
    meaning: "the entity's markup on every trade of the ramp, in basis points",
  }),
  transactionScreening: z.boolean().default(true).register(settingDocs, {
    group: 'Compliance',
    meaning: 'whether the counterparty of a transaction is screened; requests to screen an address always are',
  }),
  complianceEnvelope: z.enum(['bare', 'data']).default('bare').register(settingDocs, {
    group: 'Compliance',
    meaning: 'responses of the Compliance Engine: `bare`, or `data` for `{data: …}`',
  }),
});

/** Without defaults: a default must not undo an earlier change. */
export const settingsPatchSchema = z.strictObject(
  Object.fromEntries(Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.unwrap().optional()])),
);

export type Settings = z.output<typeof settingsSchema>;
export type SettingsPatch = Partial<z.input<typeof settingsSchema>>;

/** What a world starts with. */
export interface WorldOptions extends SettingsPatch {
  /** `TEST_API_KEY:<id>:<secret>`, or `LIVE_API_KEY:emulator:<secret>`. */
  apiKey: string;
  /** 64 hex characters. Without it the entity has no secret yet (`156016`). */
  entitySecret?: string | undefined;
}

export function makeSettings(patch: SettingsPatch = {}): Settings {
  return settingsSchema.parse(patch);
}
