import { z } from 'zod';
import { SCA_CORES } from '../api/contract/resources';
import { BLOCKCHAINS } from '../domain/chains';
import { isDecimal } from '../domain/money';
import { realMs, worldMs } from './duration';
import { PAYMASTER_REASONS } from './errorReasons';

export const SSO_PROVIDERS = ['Google', 'Facebook', 'Apple'] as const;

/** What can be set on a world, by `startEmulator` or the control API; everything has a default. */
export const settingsSchema = z.strictObject({
  /**
   * What a second use of an idempotency key is answered: `reject`, as the spec says (`156020`), or `replay`, as the
   * public API does: the first answer again, with status 200.
   */
  idempotency: z.enum(['reject', 'replay']).default('reject'),
  /** Whether the limits of the spec are held. */
  limits: z.boolean().default(true),
  /** Real time that a request takes before it is looked at: evenly spread over `meanMs` ± `jitterMs`. */
  latency: z.strictObject({ meanMs: realMs, jitterMs: realMs }).nullable().default(null),
  /** Blockchains that shall support EIP-1559 or not, where that differs from the emulator's own table. */
  eip1559: z.partialRecord(z.enum(BLOCKCHAINS), z.boolean()).default({}),
  /** Most that a transaction may cost, in native tokens (`155211`). */
  maxFeeNative: z.string().refine(isDecimal, 'a decimal string is needed').default('1'),
  /** Blockchains on which no wallets can be created (`155511`). */
  noWallets: z.array(z.enum(BLOCKCHAINS)).default([]),
  /** Core of new smart-contract wallets; null: their configuration is unusable (`155506`). */
  scaCore: z.enum(SCA_CORES).nullable().default('circle_6900_singleowner_v3'),
  /**
   * Who pays the fees of smart-contract wallets, by blockchain: null pays, a reason refuses to, with which transactions
   * end `FAILED`. A mainnet needs one before such a wallet is created (`155509`); on a testnet there is one by itself.
   */
  paymasterPolicies: z.partialRecord(z.enum(BLOCKCHAINS), z.enum(PAYMASTER_REASONS).nullable()).default({}),
  /** The entity's app id; null where the entity has no configuration (`156008`). */
  appId: z.string().nullable().default('0190a1b2-0000-7000-8000-000000000001'),
  /** The entity secret has to be rotated in the console: what needs it is answered `156019`. */
  rotationDue: z.boolean().default(false),
  /** How long a challenge can be approved, world time; null: for ever. The API's own time is not published. */
  challengeLifetimeMs: worldMs.positive().nullable().default(3_600_000),
  /** The SMTP server that is configured in the console, and what becomes of mails. */
  smtp: z
    .enum(['ready', 'missing', 'invalid', 'unreachable', 'loginRefused', 'mailRefused', 'failing'])
    .default('ready'),
  /** The template of mails with one-time passwords. */
  emailTemplate: z.enum(['ready', 'missing', 'invalid']).default('ready'),
  /** SSO providers that are configured in the console. */
  ssoProviders: z.array(z.enum(SSO_PROVIDERS)).default([...SSO_PROVIDERS]),
  /** Real time that a receiver of webhooks has for its answer (api-facts 8). */
  webhookAnswerMs: realMs.int().positive().default(5_000),
  /** Whether the ramp's partner offers anything (`110701`). */
  rampQuotes: z.boolean().default(true),
  /** World time from a ramp quote to its `expireDate`. */
  rampQuoteMs: worldMs.positive().default(60_000),
  /** World time that a ramp session waits for its deposit. */
  rampSessionMs: worldMs.positive().default(24 * 60 * 60_000),
  /** What the entity adds to every trade of the ramp, in basis points. */
  rampMarkup: z.number().int().nonnegative().default(0),
  /** Whether the other side of a transaction is screened; addresses asked for by themselves always are. */
  transactionScreening: z.boolean().default(true),
  /** Answers of the Compliance Engine: as they are, or in `{data}`; sources show both (api-facts 9). */
  complianceEnvelope: z.enum(['bare', 'data']).default('bare'),
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
