import { z } from 'zod';
import { ivmsCountry } from './countries';

/** What is wrong with IVMS101 data. The message never holds the value: these are personal data (field case TR-04). */
export interface IvmsProblem {
  path: string[];
  /** Follows the field's name. */
  message: string;
  /** The API's name of what is wrong (api-facts 2); `invalid_value` without it. */
  params?: { error: string };
}

export function report(context: z.core.$RefinementCtx<unknown>, problems: readonly (IvmsProblem | false)[]): void {
  for (const problem of problems) if (problem) context.addIssue({ code: 'custom', ...problem });
}

/** Any script, counted in characters; only control characters are refused (field case TR-03). */
export function text(most: number, description: string, ...examples: string[]) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = Array.from(value).length;
      report(context, [
        (length < 1 || length > most) && { path: [], message: `needs 1 to ${most} characters`, params: { error: 'length_outside_bounds' } }, // prettier-ignore
        /\p{Cc}/u.test(value) && { path: [], message: 'may not hold control characters', params: { error: 'pattern_mismatch' } }, // prettier-ignore
      ]);
    })
    .meta({ description, examples, minLength: 1, maxLength: most });
}

export function code<const T extends readonly [string, ...string[]]>(values: T, description: string) {
  return z.enum(values).meta({ description, examples: [values[0]] });
}

export const countryCode = (description: string) => ivmsCountry.meta({ description, examples: ['FR'] });
