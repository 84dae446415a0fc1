import { z } from 'zod';
import { settingsPatchSchema, type WorldOptions } from '../settings';

const options = settingsPatchSchema.extend({ apiKey: z.string(), entitySecret: z.string().optional() });

/** How a world started. Together with its inputs, it determines the world's state. */
export const worldStartSchema = z.strictObject({
  /** The options that the world was opened with. A reset restores them. */
  options: z.custom<WorldOptions>((value) => options.safeParse(value).success),
  /** 64 hex characters. A reset keeps the current secret, which may be newer than that of the options. */
  entitySecret: z.string().optional(),
  /** Number of recovery files issued before a reset. */
  recoveryFiles: z.number().int(),
  /** World time, milliseconds since the epoch. */
  at: z.number().int(),
  speed: z.number(),
});

export type WorldStart = z.output<typeof worldStartSchema>;
