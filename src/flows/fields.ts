import { z } from 'zod';
import { Duration } from '../config/duration';
import { isDecimal } from '../domain/money';

/** Fields that several flows' inputs have, each with an error that says what to do. */

export const walletId = z
  .uuid({ error: 'is not a wallet id; give the UUID that the API shows for the wallet' })
  .describe('UUID of a wallet');
export const tokenId = z
  .uuid({ error: 'is not a token id; give the UUID that the API shows for the token' })
  .describe('UUID of a token');

/** More than any token's supply has. */
const MOST_DIGITS = 100;

/** Above zero, as text: a number would have been a double before it got here (DESIGN rule 14). */
export const amount = z
  .string({ error: 'must be a text of digits such as "10.50", not a number' })
  .refine((text) => text.length <= MOST_DIGITS && isDecimal(text) && /[1-9]/.test(text), {
    error: 'is not an amount above zero; give digits such as "10.50", without sign, unit, exponent or separator',
  })
  .describe('text of digits such as "10.50", in tokens');

export const address = z
  .string({ error: 'must be a text' })
  .regex(/^\S{1,128}$/, { error: 'is not an address; give it as the blockchain writes it, without blanks' })
  .describe('address, as the blockchain writes it');

/** Of a user, as the integrator or the API chose it. Personal data: never part of an id. */
export const userId = z
  .string({ error: 'must be a text' })
  .regex(/^\S{5,50}$/, { error: 'is not a user id; give the 5 to 50 characters that name the user at the API' })
  .describe('text of 5 to 50 characters that names the user at the API');

/** How long a user has to approve, such as `3 days`; milliseconds in the workflow. Without one the flow waits on. */
export const deadline = Duration.describe('duration such as "3 days"');
