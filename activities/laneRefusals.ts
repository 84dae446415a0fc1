import { ApiError } from '../src/api';
import { CODES } from '../src/domain/codes';
import { workflowId } from '../src/domain/flowId';
import { SIGNALS } from '../src/domain/messages';
import { type LaneRefusal, WALLET_LANE } from '../src/domain/walletLane';
import type { ActivityDeps } from './deps';

/** The codes by which the API refuses a transaction because of other transactions of its wallet. */
const CODES_OF_OTHERS: ReadonlySet<number> = new Set([
  CODES.nonceMismatch,
  CODES.userOperationBeforeDeployment,
  CODES.senderQueueFull,
  CODES.scaFirstTransactionPending,
]);

/**
 * Sends a transaction. If the API refuses it because of other transactions of the wallet, the lane of the wallet learns
 * that other programs use it, and the activity tries again later (docs/architecture.md#the-lane-of-a-wallet).
 */
export async function reportingRefusals<T>(
  { client, entity, logger }: Pick<ActivityDeps, 'client' | 'entity' | 'logger'>,
  walletId: string | undefined,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (walletId !== undefined && error instanceof ApiError && CODES_OF_OTHERS.has(error.code)) {
      const lane = workflowId({ entity, flow: WALLET_LANE, ref: walletId });
      const refusal: LaneRefusal = { code: error.code };
      await client.workflow
        .getHandle(lane)
        .signal(SIGNALS.laneRefusal, refusal)
        // Without the lane's knowledge, transactions may be refused that need not be. None is lost.
        .catch((problem: unknown) =>
          logger.warn(
            { lane, code: error.code, error: problem },
            'The lane of the wallet could not be told of a refusal',
          ),
        );
    }
    throw error;
  }
}
