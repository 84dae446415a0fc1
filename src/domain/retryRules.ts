import { CODES } from './codes';

// How long and how often something is retried before the flow asks for a decision:
// docs/architecture.md#effects-happen-once and docs/architecture.md#errors-are-sorted-by-code.

/** How long an idempotency key may be reused, counted from the first attempt that the API may have executed. */
export const KEY_MAX_AGE_MS = 60 * 60_000;
/** Attempts with an unexpected response (unreadable, HTML, a redirect, `155210`, code `-1`) before the activity fails. */
export const MAX_UNEXPECTED_RESPONSES = 6;
/** A poll's delay after its first unexpected response. Each later one in a row doubles it, up to `WAIT_MAX_MS`. */
export const UNEXPECTED_POLL_DELAY_MS = 5_000;
/** Pages that a lookup reads. A list with more pages proves nothing about an effect that was not found. */
export const LOOK_UP_MAX_PAGES = 20;
/** The same for a contract call. Its lookup reads all contract calls of the wallet: no filter is known that narrows them. */
export const LOOK_UP_MAX_CALL_PAGES = 200;
/**
 * Waits before each lookup of an effect with an unknown outcome. If the last lookup finds nothing either, the flow
 * stops looking and treats the effect as not found.
 */
export const LOOK_UP_WAITS_MS = [0, 3_000, 10_000, 30_000] as const;
/**
 * The same after a cancellation. Nobody waits for the effect, so the lookups go on for longer before a person is asked, or
 * before the flow reports that nothing was created.
 */
export const LONG_LOOK_UP_WAITS_MS = [...LOOK_UP_WAITS_MS, 60_000, 180_000] as const;
/**
 * Delay before retrying a request that only needs a new ciphertext or token. It equals the shortest interval of
 * Temporal's own retries.
 */
export const IMMEDIATE_RETRY_MS = 1_000;
/** The first wait after a code of the kind `wait`. Each later wait is half as long again, up to `WAIT_MAX_MS`. */
export const WAIT_BY_CODE_MS: Readonly<Record<number, number>> = {
  [CODES.nonceMismatch]: 15_000,
  [CODES.userOperationBeforeDeployment]: 15_000,
  [CODES.senderQueueFull]: 60_000,
  [CODES.scaFirstTransactionPending]: 15_000,
};
export const WAIT_DEFAULT_MS = 30_000;
export const WAIT_MAX_MS = 10 * 60_000;
/** How long a bucket pauses after a 429 without a usable `Retry-After`. */
export const DEFAULT_THROTTLE_MS = 1_000;
/** The shortest pause after any 429. */
export const MIN_THROTTLE_MS = 100;
/** Delay before a request that a lock refused is sent again, if the API no longer reports the user as locked. */
export const LOCK_RETRY_MS = 5_000;
/** Pause before an expired challenge is renewed, so that challenges that expire at once do not use up a rate limit. */
export const CHALLENGE_RENEWAL_PAUSE_MS = 15_000;
/** Pause before the session polls a challenge again that the API refused to read. A flow's decision ends the pause. */
export const UNREADABLE_RETRY_MS = 10 * 60_000;
/** If the API refuses a call this soon after the user was enabled or the tokens were renewed, the remedy did not work. */
export const REFUSED_AGAIN_MS = 60_000;
/** How much the clocks of Temporal's server and of the API may differ. */
export const CLOCK_SKEW_MS = 60_000;
