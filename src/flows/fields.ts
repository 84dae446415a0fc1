import { z } from 'zod';
import { Duration } from '../config/duration';
import { BLOCKCHAINS } from '../domain/chains';
import { isDecimal } from '../domain/money';

// Fields that the inputs of several flows share. Each error says what to do, and each description is a line of the help.

export const walletId = z
  .uuid({ error: 'is not a wallet id; use the UUID that the API shows for the wallet' })
  .toLowerCase()
  .describe('UUID of a wallet');
export const tokenId = z
  .uuid({ error: 'is not a token id; use the UUID that the API shows for the token' })
  .toLowerCase()
  .describe('UUID of a token');

/** More digits than the supply of any token has. */
const MAX_AMOUNT_LENGTH = 100;

/** A decimal string above zero. Not a number: floating-point numbers are not exact. */
export const amount = z
  .string({ error: 'must be a decimal string such as "10.50", not a number' })
  .refine((text) => text.length <= MAX_AMOUNT_LENGTH && isDecimal(text) && /[1-9]/.test(text), {
    error: 'is not an amount above zero; use digits such as "10.50", without sign, unit, exponent or separator',
  })
  .describe('decimal string such as "10.50", in units of the token');

export const address = z
  .string({ error: 'must be a string' })
  .regex(/^\S{1,128}$/, { error: 'is not an address; use the address format of the blockchain, without spaces' })
  .describe('address in the format of the blockchain');

export const blockchain = z
  .enum(BLOCKCHAINS, { error: `must be one of ${BLOCKCHAINS.join(', ')}` })
  .describe('blockchain, such as "ETH-SEPOLIA"');

/**
 * Id of a user in the API, chosen by the integrator or by the API. Personal data: it is never part of an id of a flow.
 */
export const userId = z
  .string({ error: 'must be a string' })
  .regex(/^\S{5,50}$/, { error: "is not a user id; use the user's id in the API, which has 5 to 50 characters" })
  .describe("the user's id in the API, a string of 5 to 50 characters");

/** How long the user has to approve, such as `3 days`; the workflow gets milliseconds. Without it the flow waits forever. */
export const deadline = Duration.describe('duration such as "3 days"');
