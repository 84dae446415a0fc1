import { option } from '../../src/domain/attention';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { readUser } from './readUser';

const RETRY = option('retry', 'reads the user again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the PIN stays as it is');

const PIN_NOT_SET = {
  name: 'PinNotSet',
  reason: 'the user approved, but has no PIN according to the API',
  remedy: "check the user and the user's challenges at the API",
};

/**
 * Reads the user's `pinStatus` after a challenge has set, changed or restored the PIN. A user without a PIN needs a
 * decision. @returns undefined if the API does not show it @throws FlowOutcomeError if the decision gives up
 */
export async function reportPin(flow: Flow, session: SessionClient): Promise<string | undefined> {
  for (;;) {
    const { pinStatus } = await readUser(flow, session);
    if (pinStatus !== 'UNSET') return pinStatus;
    const choice = await flow.awaitDecision({ ...PIN_NOT_SET, options: [RETRY, GIVE_UP] });
    if (choice === 'giveUp') throw failedOutcome(PIN_NOT_SET);
  }
}
