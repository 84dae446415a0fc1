import { option, type Problem } from '../../src/domain/attention';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';

const RETRY = option('retry', 'reads the user again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the PIN stays as it is');

const PIN_NOT_SET = {
  name: 'PinNotSet',
  reason: 'the user approved, but has no PIN according to the API',
  remedy: "check the user and the user's challenges at the API",
};

/**
 * Reads the user's `pinStatus` after a challenge has set, changed or restored the PIN. A user without a PIN needs a
 * decision, and so does one who cannot be read: the PIN may be as the flow was asked to make it.
 * @returns undefined if the API does not show it @throws FlowOutcomeError if the decision gives up
 */
export async function reportPin(flow: Flow, session: SessionClient): Promise<string | undefined> {
  for (;;) {
    const { pinStatus, problem } = await readPin(session);
    if (!problem) return pinStatus;
    const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
    if (choice === 'giveUp') throw failedOutcome(problem);
  }
}

/** @throws every error that is not the API's */
async function readPin(session: SessionClient): Promise<{ pinStatus?: string; problem?: Problem }> {
  try {
    const { pinStatus } = await session.readUser();
    return pinStatus === 'UNSET' ? { problem: PIN_NOT_SET } : { pinStatus };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return { problem: problemOf(failure, "the user approved, but can't be read") };
  }
}
