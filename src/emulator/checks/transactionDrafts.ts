import { GAS } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { TransactionDraft } from '../transactions/transactionMachine';
import type { AccessFilter } from '../wallets/access';
import { type Sender, type SenderFields, senderOf, sendingWallet } from '../wallets/sender';
import type { World } from '../world/world';
import { type CallFields, callOf } from './call';
import { type FeeFields, feeOf } from './fee';
import { ON_SUBMISSION, requireFunds } from './funds';
import { requireQueueSpace } from './queue';
import { type TransferFields, transferOf } from './transfer';

/**
 * Turns requests for new transactions into drafts that have passed all checks. A developer's transaction is submitted
 * immediately. A user's transaction is drafted on the request, and again when the user approves it.
 */

/** Smart-contract cores that can be upgraded. */
const UPGRADABLE: readonly string[] = ['circle_4337_v1', 'circle_6900_singleowner_v1'];

type SubmissionFields = SenderFields & FeeFields & { refId?: string | undefined };

/** @throws ApiErrorResponse as `senderOf`, `sendingWallet`, `transferOf` and `completeDraft` */
export function draftTransfer(
  world: World,
  body: SubmissionFields & TransferFields,
  access: AccessFilter,
): TransactionDraft {
  const sender = senderOf(world, body, access);
  sendingWallet(sender);
  const { token, movements, gas } = transferOf(world, sender, body);
  return completeDraft(world, sender, body, {
    movements,
    gas,
    fields: {
      operation: 'TRANSFER',
      destinationAddress: body.destinationAddress,
      tokenId: token.id,
      amounts: body.amounts.map(String),
      nfts: body.nftTokenIds?.map((nftTokenId) => JSON.stringify({ nftTokenId })),
      refId: body.refId,
    },
  });
}

/** @throws ApiErrorResponse as `senderOf`, `sendingWallet`, `callOf` and `completeDraft` */
export function draftCall(world: World, body: SubmissionFields & CallFields, access: AccessFilter): TransactionDraft {
  const sender = senderOf(world, body, access);
  sendingWallet(sender);
  const { movements, gas, action, reserved } = callOf(world, sender, body);
  return completeDraft(world, sender, body, {
    movements,
    gas,
    action,
    reserved,
    fields: {
      operation: 'CONTRACT_EXECUTION',
      contractAddress: body.contractAddress,
      abiFunctionSignature: body.abiFunctionSignature,
      abiParameters: body.abiParameters,
      amounts: body.amount === undefined ? undefined : [String(body.amount)],
      refId: body.refId,
    },
  });
}

/**
 * @throws ApiErrorResponse as `senderOf`, `sendingWallet` and `completeDraft`; 155515 not an SCA wallet, 155506 the
 * core can't be upgraded, 155514 not deployed
 */
export function draftUpgrade(
  world: World,
  body: SubmissionFields & { newScaCore: string },
  access: AccessFilter,
): TransactionDraft {
  const sender = senderOf(world, body, access);
  const { resource, deployed } = sendingWallet(sender);
  if (!sender.sca) throw new ApiErrorResponse(155515);
  if (!UPGRADABLE.includes(resource.scaCore ?? '')) throw new ApiErrorResponse(155506);
  if (!deployed) throw new ApiErrorResponse(155514);
  return completeDraft(world, sender, body, {
    movements: [],
    gas: GAS.call,
    newScaCore: body.newScaCore,
    fields: { operation: 'CONTRACT_EXECUTION', contractAddress: sender.address, refId: body.refId },
  });
}

/**
 * Completes the draft of any submission with its fee, after its content has been checked.
 * @throws ApiErrorResponse as `feeOf`, `requireFunds` and `requireQueueSpace`
 */
export function completeDraft(
  world: World,
  sender: Sender,
  body: FeeFields,
  {
    gas,
    ...content
  }: { gas: bigint } & Pick<TransactionDraft, 'movements' | 'action' | 'reserved' | 'newScaCore' | 'fields'>,
): TransactionDraft {
  const wallet = sendingWallet(sender);
  const total = sender.sca ? gas + GAS.verification + GAS.preVerification : gas;
  const fee = feeOf(world, sender, total, body);
  requireFunds(world, sender, content.movements, fee, ON_SUBMISSION);
  requireQueueSpace(world, wallet);
  return { wallet, fee, sponsored: sender.sponsored, ...content };
}
