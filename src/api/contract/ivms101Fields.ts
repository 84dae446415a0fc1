import { z } from 'zod';
import { hasLoneSurrogate } from '../../domain/unicode';
import { ivmsCountry } from './countries';

/** A problem of IVMS101 data. The message never contains the value, which is personal data. */
export interface IvmsProblem {
  path: string[];
  /** Shown after the name of the field. */
  message: string;
  /** The API's name of the problem (docs/api-behavior.md#envelopes-errors-and-paging); `invalid_value` without it. */
  params?: { error: string };
}

export function report(context: z.core.$RefinementCtx<unknown>, problems: readonly (IvmsProblem | false)[]): void {
  for (const problem of problems) if (problem) context.addIssue({ code: 'custom', ...problem });
}

/**
 * A letter, digit, punctuation mark or symbol of any script. Spaces, joiners, fillers (which count as letters) and the blank
 * Braille pattern (which counts as a symbol) alone name nobody.
 */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Text in any script. The length counts characters. Refused are control characters, text without a visible character, and
 * half of a surrogate pair, which has no UTF-8 form: the receiver would read another name.
 */
export function text(max: number, description: string, ...examples: string[]) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = Array.from(value).length;
      report(context, [
        (length < 1 || length > max) && { path: [], message: `must have 1 to ${max} characters`, params: { error: 'length_outside_bounds' } }, // prettier-ignore
        length > 0 && !VISIBLE.test(value) && { path: [], message: 'must contain a visible character', params: { error: 'pattern_mismatch' } }, // prettier-ignore
        hasLoneSurrogate(value) && { path: [], message: 'must not contain half of a surrogate pair', params: { error: 'pattern_mismatch' } }, // prettier-ignore
        /\p{Cc}/u.test(value) && { path: [], message: 'must not contain control characters', params: { error: 'pattern_mismatch' } }, // prettier-ignore
      ]);
    })
    .meta({ description, examples, minLength: 1, maxLength: max });
}

export function code<const T extends readonly [string, ...string[]]>(values: T, description: string) {
  return z.enum(values).meta({ description, examples: [values[0]] });
}

export const countryCode = (description: string) => ivmsCountry.meta({ description, examples: ['FR'] });
