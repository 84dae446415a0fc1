import { CODES } from './codes';
import type { FlowEffect, ReadActivityName } from './activityTable';
import { CHALLENGE_CALL_NAMES, CHALLENGE_CALLS, type ChallengeCall } from './challengeCalls';

/** How a flow finds out whether an effect took place. Texts are parts of sentences, for docs/exactly-once.md. */
export interface LookUp {
  /** What in the request, besides an idempotency key, shows in what it makes. */
  naturalKey?: string;
  /** The reads, in their order: a later one only if those before found nothing. Empty: the API shows nothing of the effect. */
  reads: readonly ReadActivityName[];
  /** How the reads recognize the effect. */
  recognizedBy: string;
  /** What the flow continues with. */
  adopted: string;
}

const SENT_TRANSFER =
  "the wallet's outbound transactions to the destination: the `refId` of this step under any ordinal, and the same wallet, token, destination, amounts and NFTs";
const SENT_CALL =
  "the wallet's outbound contract calls, whatever their contract: the `refId` of this step under any ordinal, and the same wallet, contract, function, parameters and amount, as far as the API shows them";
const NEW_TOKENS = 'nothing: only the lost reply had the tokens';

/** What a challenge call has besides its challenge, which does not name the request that opened it. */
const MORE: Partial<Record<ChallengeCall, Pick<LookUp, 'naturalKey'> & { read: ReadActivityName; shows: string }>> = {
  createUserTransfer: {
    naturalKey: '`refId`, which the transaction shows after the approval',
    read: 'findTransaction',
    shows: SENT_TRANSFER,
  },
  createUserContractExecution: {
    naturalKey: '`refId`, which the transaction shows after the approval',
    read: 'findTransaction',
    shows: SENT_CALL,
  },
};

/**
 * One row for each operation by which a flow changes something at the API. A new row of `API_ACTIVITIES` that changes
 * something does not compile without a row here. A row describes what the step's `find` does.
 */
export const LOOK_UPS = {
  createTransfer: {
    naturalKey: '`refId`',
    reads: ['findTransaction'],
    recognizedBy: SENT_TRANSFER,
    adopted: 'the transaction',
  },
  createContractExecution: {
    naturalKey: '`refId`',
    reads: ['findTransaction'],
    recognizedBy: SENT_CALL,
    adopted: 'the transaction',
  },
  accelerateTransaction: {
    naturalKey: 'the `id` of the transaction',
    reads: ['readTransaction'],
    recognizedBy: 'a state other than `STUCK`',
    adopted: 'the acceleration; the flow follows the same transaction',
  },
  cancelTransaction: {
    naturalKey: 'the `id` of the transaction',
    reads: ['readTransaction'],
    recognizedBy: 'a state in a block or a final state; before that, a cancellation does not show',
    adopted: 'the cancellation; the final state says whether it worked',
  },
  requestDrip: {
    reads: ['findInbound', 'readToken'],
    recognizedBy:
      "the wallet's deposits since the flow's first start that were not there before: a requested coin, and not less than the smallest published amount",
    adopted: 'the deposits',
  },
  refreshUserToken: {
    reads: [],
    recognizedBy: NEW_TOKENS,
    adopted: 'nothing: the refresh token counts as used, and the user logs in again',
  },
  ...challengeLookUps(),
  createUser: {
    naturalKey: `\`userId\` (\`${CODES.userIdTaken}\`)`,
    reads: ['readUser'],
    recognizedBy: 'a user who is not older than the flow, with a tolerance of one minute',
    adopted: "the user, as created; an older one as the policy's `existingUser` says",
  },
  createEmailDeviceToken: {
    reads: [],
    recognizedBy: NEW_TOKENS,
    adopted: 'nothing: the email counts as sent, and the flow sends another one with a new key',
  },
  resendOtp: {
    reads: [],
    recognizedBy: NEW_TOKENS,
    adopted: 'nothing: the email counts as sent, and the flow begins a new login (`createEmailDeviceToken`)',
  },
  createSocialDeviceToken: {
    reads: [],
    recognizedBy: NEW_TOKENS,
    adopted: 'nothing: the flow asks for new tokens with a new key',
  },
} as const satisfies Record<FlowEffect, LookUp>;

/** The session looks for the challenge of each call in the same way (workflows/session/ownership.ts). */
function challengeLookUps(): Record<ChallengeCall, LookUp> {
  const rows = CHALLENGE_CALL_NAMES.map((call): [ChallengeCall, LookUp] => {
    const { type, names } = CHALLENGE_CALLS[call];
    const more = MORE[call];
    const naturalKey = names === 'target' ? 'the `id` of the transaction' : more?.naturalKey;
    const challenge = `the one open \`${type}\` challenge that was not open before the request and that no other request opened`;
    return [
      call,
      {
        ...(naturalKey && { naturalKey }),
        reads: ['listOpenChallenges', ...(more ? [more.read] : [])],
        recognizedBy: more ? `${challenge}; then ${more.shows}` : challenge,
        adopted: more ? 'the challenge, or the transaction of an earlier one' : 'the challenge',
      },
    ];
  });
  return Object.fromEntries(rows) as Record<ChallengeCall, LookUp>;
}
