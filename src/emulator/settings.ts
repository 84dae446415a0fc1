import { z } from 'zod';
import { SCA_CORES } from '../api/contract/resources';
import { BLOCKCHAINS } from '../domain/chains';
import { isDecimal } from '../domain/money';
import { realMs, worldMs } from './duration';
import { PAYMASTER_REASONS } from './errorReasons';

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

/** What is said of a setting, by the page and in docs/emulator.md. */
interface AboutSetting {
  group: (typeof SETTING_GROUPS)[number];
  /** One line; code stands in backticks. */
  meaning: string;
  /** What null stands for, where it is a value. */
  nothing?: string;
}

/** The texts of each setting, by its schema. */
export const aboutSettings = z.registry<AboutSetting>();

/** What can be set on a world, by `startEmulator`, the control API or the page; everything has a default. */
export const settingsSchema = z.strictObject({
  idempotency: z.enum(['reject', 'replay']).default('reject').register(aboutSettings, {
    group: 'Requests',
    meaning: 'second use of a key: `reject` is `156020`, as in the spec; `replay` the first answer again, as in public',
  }),
  limits: z
    .boolean()
    .default(true)
    .register(aboutSettings, { group: 'Requests', meaning: 'whether the rate limits are held' }),
  latency: z.strictObject({ meanMs: realMs, jitterMs: realMs }).nullable().default(null).register(aboutSettings, {
    group: 'Requests',
    meaning: '`{meanMs, jitterMs}`: real time added to every request, evenly spread over mean ± jitter',
    nothing: 'none',
  }),
  eip1559: z.partialRecord(z.enum(BLOCKCHAINS), z.boolean()).default({}).register(aboutSettings, {
    group: 'Blockchains and wallets',
    meaning: 'by blockchain: `false` for one without EIP-1559 fees, or `true`',
  }),
  maxFeeNative: z.string().refine(isDecimal, 'a decimal string is needed').default('1').register(aboutSettings, {
    group: 'Blockchains and wallets',
    meaning: 'most that a transaction may cost, in native tokens (`155211`)',
  }),
  noWallets: z.array(z.enum(BLOCKCHAINS)).default([]).register(aboutSettings, {
    group: 'Blockchains and wallets',
    meaning: 'blockchains on which no wallets can be created (`155511`)',
  }),
  scaCore: z.enum(SCA_CORES).nullable().default('circle_6900_singleowner_v3').register(aboutSettings, {
    group: 'Blockchains and wallets',
    meaning: 'core of new smart-contract wallets; null: their configuration is unusable (`155506`)',
    nothing: 'unusable',
  }),
  /** A mainnet needs one before such a wallet is created (`155509`); on a testnet there is one by itself. */
  paymasterPolicies: z
    .partialRecord(z.enum(BLOCKCHAINS), z.enum(PAYMASTER_REASONS).nullable())
    .default({})
    .register(aboutSettings, {
      group: 'Blockchains and wallets',
      meaning: 'by blockchain: null pays the fees of smart-contract wallets, an `errorReason` refuses to with it',
      nothing: 'pays',
    }),
  appId: z.string().nullable().default('0190a1b2-0000-7000-8000-000000000001').register(aboutSettings, {
    group: 'Entity',
    meaning: 'null: the entity has no configuration (`156008`)',
    nothing: 'no configuration',
  }),
  rotationDue: z
    .boolean()
    .default(false)
    .register(aboutSettings, { group: 'Entity', meaning: 'what needs the entity secret is answered `156019`' }),
  /** The API's own time is not published. */
  challengeLifetimeMs: worldMs.positive().nullable().default(3_600_000).register(aboutSettings, {
    group: 'Users and logins',
    meaning: 'how long a challenge can be approved; null: for ever',
    nothing: 'for ever',
  }),
  smtp: z
    .enum(['ready', 'missing', 'invalid', 'unreachable', 'loginRefused', 'mailRefused', 'failing'])
    .default('ready')
    .register(aboutSettings, {
      group: 'Users and logins',
      meaning:
        '`missing` `155150`, `invalid` `155151`, `unreachable` `155158`, `loginRefused` `155159`, `mailRefused` `155160`, `failing` `155138`',
    }),
  emailTemplate: z.enum(['ready', 'missing', 'invalid']).default('ready').register(aboutSettings, {
    group: 'Users and logins',
    meaning: 'of mails with one-time passwords: `missing` `155155`, `invalid` `155154`',
  }),
  ssoProviders: z
    .array(z.enum(SSO_PROVIDERS))
    .default([...SSO_PROVIDERS])
    .register(aboutSettings, {
      group: 'Users and logins',
      meaning: '`Google`, `Facebook`, `Apple`; one that is not configured, or none, is `155152`',
    }),
  webhookAnswerMs: realMs.int().positive().default(5_000).register(aboutSettings, {
    group: 'Webhooks',
    meaning: 'real time that a receiver of webhooks has for its answer',
  }),
  rampQuotes: z
    .boolean()
    .default(true)
    .register(aboutSettings, { group: 'Ramp', meaning: "whether the ramp's partner offers anything (`110701`)" }),
  rampQuoteMs: worldMs
    .positive()
    .default(60_000)
    .register(aboutSettings, { group: 'Ramp', meaning: 'from a ramp quote to its `expireDate`' }),
  rampSessionMs: worldMs
    .positive()
    .default(24 * 60 * 60_000)
    .register(aboutSettings, { group: 'Ramp', meaning: 'how long a ramp session waits for its deposit' }),
  rampMarkup: z.number().int().nonnegative().default(0).register(aboutSettings, {
    group: 'Ramp',
    meaning: 'what the entity adds to every trade of the ramp, in basis points',
  }),
  transactionScreening: z.boolean().default(true).register(aboutSettings, {
    group: 'Compliance',
    meaning: 'whether the other side of a transaction is screened; addresses asked for by themselves always are',
  }),
  complianceEnvelope: z.enum(['bare', 'data']).default('bare').register(aboutSettings, {
    group: 'Compliance',
    meaning: 'answers of the Compliance Engine: `bare`, or `data` for `{data: …}`',
  }),
});

/** Only what was given: a default must not undo an earlier change. */
export const settingsPatchSchema = z.strictObject(
  Object.fromEntries(Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.unwrap().optional()])),
);

export type Settings = z.output<typeof settingsSchema>;
export type SettingsPatch = Partial<z.input<typeof settingsSchema>>;

/** What a world begins with. */
export interface WorldOptions extends SettingsPatch {
  /** `TEST_API_KEY:<id>:<secret>`, or `LIVE_API_KEY:emulator:<secret>`. */
  apiKey: string;
  /** 64 hex characters; without it the entity has no secret yet (`156016`). */
  entitySecret?: string | undefined;
}

export function makeSettings(given: SettingsPatch = {}): Settings {
  return settingsSchema.parse(given);
}
