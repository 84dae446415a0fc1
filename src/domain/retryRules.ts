import { CODES } from './codes';

// How long and how often something is retried before the flow has to decide: docs/architecture.md#effects-happen-once and
// docs/architecture.md#errors-are-sorted-by-code.

/** How long an idempotency key may be used after the first attempt that may have been carried out. */
export const KEY_MAX_AGE_MS = 60 * 60_000;
/** Attempts with an unexpected response (unreadable, HTML, a redirect, `155210`, code `-1`) before the activity fails. */
export const MAX_UNEXPECTED_RESPONSES = 6;
/** Waits before each look-up for an effect with an unknown outcome. After the last one it counts as not made. */
export const LOOK_UP_WAITS_MS = [0, 3_000, 10_000, 30_000] as const;
/** The same after a cancel. It looks for longer, because the outcome is then reported without a decision. */
export const LONG_LOOK_UP_WAITS_MS = [...LOOK_UP_WAITS_MS, 60_000, 180_000] as const;
/** The first wait after a code of the kind `wait`. Each further wait is half as long again, up to `WAIT_MAX_MS`. */
export const WAIT_BY_CODE_MS: Readonly<Record<number, number>> = {
  [CODES.nonceMismatch]: 15_000,
  [CODES.userOperationBeforeDeployment]: 15_000,
  [CODES.senderQueueFull]: 60_000,
  [CODES.scaFirstTransactionPending]: 15_000,
};
export const WAIT_DEFAULT_MS = 30_000;
export const WAIT_MAX_MS = 10 * 60_000;
