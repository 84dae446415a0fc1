import { z } from 'zod';
import { settingsPatchSchema, type WorldOptions } from '../settings';

const options = settingsPatchSchema.extend({ apiKey: z.string(), entitySecret: z.string().optional() });

/** How a world began; with its inputs, all there is to it. */
export const openingSchema = z.strictObject({
  /** What it was opened with, and a reset goes back to. */
  options: z.custom<WorldOptions>((given) => options.safeParse(given).success),
  /** 64 hex characters; a reset keeps a later one than that of the options. */
  entitySecret: z.string().optional(),
  /** Recovery files issued before a reset. */
  recoveryFiles: z.number().int(),
  /** World time, milliseconds since the epoch. */
  at: z.number().int(),
  speed: z.number(),
});

export type Opening = z.output<typeof openingSchema>;
