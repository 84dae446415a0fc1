/** Numbers of rules 2 and 3 of the design: how often and how long something is tried before a person is asked. */
import { CODES } from './codes';

/** An idempotency key is trusted for so long after the first attempt that may have been carried out. */
export const KEY_TRUST_MS = 60 * 60_000;
/** Attempts with an odd answer (unreadable, HTML, a redirect, `155210`, code `-1`) before the flow is told. */
export const ODD_ANSWERS = 6;
/** Waits between the look-ups for an effect with an unknown outcome; nothing found after the last: nothing is there. */
export const LOOK_UP_WAITS_MS = [0, 3_000, 10_000, 30_000] as const;
/** The same for a flow that was called back: its end is reported without asking, so a slow commit is waited for. */
export const PATIENT_LOOK_UP_WAITS_MS = [...LOOK_UP_WAITS_MS, 60_000, 180_000] as const;
/** How long a code of the kind `wait` is waited for before it is tried again. */
export const WAIT_MS: Readonly<Record<number, number>> = {
  [CODES.nonceMismatch]: 15_000,
  [CODES.userOperationBeforeDeployment]: 15_000,
  [CODES.senderQueueFull]: 60_000,
  [CODES.scaFirstTransactionPending]: 15_000,
};
export const WAIT_DEFAULT_MS = 30_000;
export const WAIT_LONGEST_MS = 10 * 60_000;
