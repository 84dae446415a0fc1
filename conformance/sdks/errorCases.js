/** Error cases that many endpoints share. */

const { randomUUID } = require('node:crypto');

const UNKNOWN_ID = randomUUID();
const NOT_AN_ID = 'not-an-id';

/** The same idempotency key a second time. */
const usedKey = { code: 156020, status: 403 };
const malformedId = { code: 156009, status: 400, change: { id: NOT_AN_ID } };
const unknownCursor = { code: 156012, status: 404, change: { pageAfter: UNKNOWN_ID } };
const malformedCursor = { code: 156014, status: 400, change: { pageBefore: NOT_AN_ID } };
/** A well-formed API key that does not exist, and a malformed one. */
const unknownApiKey = { code: 156007, status: 401, client: 'unknownKeyClient' };
const malformedApiKey = { code: 401, status: 401, client: 'malformedKeyClient' };

const unknownId = (code) => ({ code, status: 404, change: { id: UNKNOWN_ID } });
/** Accelerating or cancelling a transaction in a terminal state. */
const ended = { code: 155215, status: 400, change: ({ transferId }) => ({ id: transferId }) };
const invalid = (change) => ({ code: 2, status: 400, change });

module.exports = {
  UNKNOWN_ID,
  NOT_AN_ID,
  usedKey,
  malformedId,
  unknownId,
  ended,
  unknownCursor,
  malformedCursor,
  unknownApiKey,
  malformedApiKey,
  invalid,
};
