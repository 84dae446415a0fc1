import { z } from 'zod';
import { BLOCKCHAINS } from '../domain/chains';
import { isDecimal } from '../domain/money';

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
  latency: z
    .strictObject({ meanMs: z.number().nonnegative(), jitterMs: z.number().nonnegative() })
    .nullable()
    .default(null),
  /** Blockchains that shall support EIP-1559 or not, where that differs from the emulator's own table. */
  eip1559: z.partialRecord(z.enum(BLOCKCHAINS), z.boolean()).default({}),
  /** Most that a transaction may cost, in native tokens (`155211`). */
  maxFeeNative: z.string().refine(isDecimal, 'a decimal string is needed').default('1'),
  /** The entity's app id; null where the entity has no configuration (`156008`). */
  appId: z.string().nullable().default('0190a1b2-0000-7000-8000-000000000001'),
  /** The entity secret has to be rotated in the console: what needs it is answered `156019`. */
  rotationDue: z.boolean().default(false),
  /** Real time that a receiver of webhooks has for its answer (api-facts 8). */
  webhookAnswerMs: z.number().int().positive().default(5_000),
  /** Whether the ramp's partner offers anything (`110701`). */
  rampQuotes: z.boolean().default(true),
  /** World time from a ramp quote to its `expireDate`. */
  rampQuoteMs: z.number().int().positive().default(60_000),
  /** World time that a ramp session waits for its deposit. */
  rampSessionMs: z
    .number()
    .int()
    .positive()
    .default(24 * 60 * 60_000),
  /** What the entity adds to every trade of the ramp, in basis points. */
  rampMarkup: z.number().int().nonnegative().default(0),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsPatch = Partial<z.input<typeof settingsSchema>>;

export function makeSettings(given: SettingsPatch = {}): Settings {
  return settingsSchema.parse(given);
}
