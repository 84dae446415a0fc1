import { GAS } from './chains/fees';
import { callOf, type CallFields } from './checks/call';
import { feeOf, type FeeFields } from './checks/fee';
import { ON_SUBMISSION, requireFunds } from './checks/funds';
import { requireRoom } from './checks/queue';
import { sendingWallet, sourceOf, type Source, type SourceFields } from './checks/source';
import { transferOf, type TransferFields } from './checks/transfer';
import type { Reach } from './reach';
import { Refusal } from './refusal';
import type { Draft } from './transactionMachine';
import type { World } from './world';

/**
 * New transactions as requests ask for them, with everything checked that is checked before one is accepted. A
 * developer's is submitted at once. A user's is drafted when it is asked for, and again when the user approves it.
 */

/** Cores that can be upgraded. */
const UPGRADABLE: readonly string[] = ['circle_4337_v1', 'circle_6900_singleowner_v1'];

type Submission = SourceFields & FeeFields & { refId?: string | undefined };

/** @throws Refusal as `sourceOf`, `transferOf` and `complete` */
export function transferDraft(world: World, body: Submission & TransferFields, reach: Reach): Draft {
  const source = sourceOf(world, body, reach);
  sendingWallet(source);
  const { token, movements, gas } = transferOf(world, source, body);
  return complete(world, source, body, {
    movements,
    gas,
    shown: {
      operation: 'TRANSFER',
      destinationAddress: body.destinationAddress,
      tokenId: token.id,
      amounts: body.amounts.map(String),
      nfts: body.nftTokenIds?.map((nftTokenId) => JSON.stringify({ nftTokenId })),
      refId: body.refId,
    },
  });
}

/** @throws Refusal as `sourceOf`, `callOf` and `complete` */
export function callDraft(world: World, body: Submission & CallFields, reach: Reach): Draft {
  const source = sourceOf(world, body, reach);
  sendingWallet(source);
  const { movements, gas, action, setAside } = callOf(world, source, body);
  return complete(world, source, body, {
    movements,
    gas,
    action,
    setAside,
    shown: {
      operation: 'CONTRACT_EXECUTION',
      contractAddress: body.contractAddress,
      abiFunctionSignature: body.abiFunctionSignature,
      abiParameters: body.abiParameters,
      amounts: body.amount === undefined ? undefined : [String(body.amount)],
      refId: body.refId,
    },
  });
}

/** @throws Refusal as `sourceOf` and `complete`, and 155515 no SCA wallet, 155506 another core, 155514 not deployed */
export function upgradeDraft(world: World, body: Submission & { newScaCore: string }, reach: Reach): Draft {
  const source = sourceOf(world, body, reach);
  const { resource, deployed } = sendingWallet(source);
  if (!source.sca) throw new Refusal(155515);
  if (!UPGRADABLE.includes(resource.scaCore ?? '')) throw new Refusal(155506);
  if (!deployed) throw new Refusal(155514);
  return complete(world, source, body, {
    movements: [],
    gas: GAS.call,
    newScaCore: body.newScaCore,
    shown: { operation: 'CONTRACT_EXECUTION', contractAddress: source.address, refId: body.refId },
  });
}

/**
 * What every submission has in common, after what it moves is known to be well-formed.
 * @throws Refusal as `feeOf`, `requireFunds` and `requireRoom`
 */
export function complete(
  world: World,
  source: Source,
  body: FeeFields,
  { gas, ...content }: { gas: bigint } & Pick<Draft, 'movements' | 'action' | 'setAside' | 'newScaCore' | 'shown'>,
): Draft {
  const wallet = sendingWallet(source);
  const total = source.sca ? gas + GAS.verification + GAS.preVerification : gas;
  const fee = feeOf(world, source, total, body);
  requireFunds(world, source, content.movements, fee, ON_SUBMISSION);
  requireRoom(world, wallet);
  return { wallet, fee, sponsored: source.sponsored, ...content };
}
