import { sameAddress } from './chains';
import type { EffectRef } from './effect';
import { sameDecimal } from './money';
import { canonicalNftId } from './nfts';

/** What a transfer moves, without its fee. */
export interface TransferMovement {
  walletId: string;
  tokenId: string;
  destinationAddress: string;
  /** Decimal strings, in tokens. */
  amounts: string[];
  /** Of NFTs: their ids, in the order of `amounts`. */
  nftTokenIds?: string[];
}

/** The parts of a transfer that identify its transaction in a list. */
export interface SentTransfer extends TransferMovement {
  blockchain: string;
}

/** A transfer whose transaction a flow follows. */
export interface ExpectedTransfer extends SentTransfer {
  /** The `refId` of the transaction names this flow and step. Each ordinal of the step has the same content. */
  effect: Pick<EffectRef, 'flow' | 'ref' | 'step'>;
}

/** What a transaction shows of its content, in a read, a list or a webhook. The response to `createTransfer` shows none. */
export type ShownContent = { [F in 'walletId' | 'tokenId' | 'destinationAddress']?: string } & {
  [F in 'amounts' | 'nftTokenIds']?: string[];
};

export interface ShownTransfer extends ShownContent {
  /** The effect that the `refId` names. Absent if there is no `refId`, or if it is not ours. */
  effect?: EffectRef;
}

type Comparison<S, T> = (shown: S, sent: T) => boolean;

/** How each field is compared. One that is not shown is not compared (docs/api-behavior.md#transactions). */
const CONTENT = {
  walletId: ({ walletId }, sent) => walletId === undefined || walletId === sent.walletId,
  destinationAddress: ({ destinationAddress }, sent) =>
    destinationAddress === undefined || sameAddress(sent.blockchain, destinationAddress, sent.destinationAddress),
  tokenId: ({ tokenId }, sent) => tokenId === undefined || tokenId === sent.tokenId,
  amounts: ({ amounts }, sent) => amounts === undefined || isPermutation(amounts, sent.amounts, sameDecimal),
  nftTokenIds: ({ nftTokenIds, amounts }, sent) =>
    nftTokenIds === undefined ||
    isPermutation(pairs(nftTokenIds, amounts), pairs(sent.nftTokenIds ?? [], sent.amounts), samePair),
} satisfies Record<string, Comparison<ShownContent, SentTransfer>>;

/** An NFT and its amount, if that is shown. */
type NftPair = readonly [id: string, amount: string | undefined];

function pairs(ids: readonly string[], amounts: readonly string[] | undefined): NftPair[] {
  return ids.map((id, index) => [canonicalNftId(id), amounts?.[index]]);
}

function samePair([id, amount]: NftPair, [otherId, otherAmount]: NftPair): boolean {
  return id === otherId && (amount === undefined || sameDecimal(amount, otherAmount ?? ''));
}

/** It is not published in which order the API shows several NFTs. */
function isPermutation<T>(shown: readonly T[], sent: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  const left = [...sent];
  for (const each of shown) {
    const index = left.findIndex((other) => isSame(each, other));
    if (index < 0) return false;
    left.splice(index, 1);
  }
  return left.length === 0;
}

/** Every transaction that a flow has sent has a `refId`, so one without it is another one. */
const ALL = {
  refId: ({ effect }, { effect: { flow, ref, step } }) =>
    effect?.flow === flow && effect.ref === ref && effect.step === step,
  ...CONTENT,
} satisfies Record<string, Comparison<ShownTransfer, ExpectedTransfer>>;

/** The fields of a transaction that differ from what was sent, apart from its `refId`. */
export function contentDifferences(shown: ShownContent, sent: SentTransfer): string[] {
  return differences(CONTENT, shown, sent);
}

/** The fields of a transaction that differ from the transfer that a flow follows. Empty: it is that transfer. */
export function transferDifferences(shown: ShownTransfer, expected: ExpectedTransfer): string[] {
  return differences(ALL, shown, expected);
}

function differences<S, T>(comparisons: Record<string, Comparison<S, T>>, shown: S, sent: T): string[] {
  return Object.keys(comparisons).filter((field) => !comparisons[field]!(shown, sent));
}
