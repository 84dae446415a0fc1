import { sameCallParameters } from './callParameters';
import { sameAddress } from './chains';
import type { EffectRef } from './effect';
import { compareDecimals, isDecimal, sameDecimal } from './money';
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

/** A contract call, without its fee. It has a signature with parameters, or call data. */
export interface ContractCall {
  walletId: string;
  contractAddress: string;
  abiFunctionSignature?: string;
  abiParameters?: unknown[];
  /** `0x` and hexadecimal digits. */
  callData?: string;
  /** Native tokens that the call sends to the contract, as a decimal string. */
  amount?: string;
}

/** The parts of a transfer that identify its transaction in a list. */
export interface SentTransfer extends TransferMovement {
  blockchain: string;
}

/** The same of a contract call. The API shows no call data. */
export interface SentCall extends Omit<ContractCall, 'callData'> {
  blockchain: string;
}

/** What identifies a transaction in a list: its content, and the blockchain whose rules compare its addresses. */
export type SentTransaction = SentTransfer | SentCall;

/** A transaction that a flow follows. */
export type ExpectedTransaction = SentTransaction & {
  /** The `refId` of the transaction names this flow and step. Each ordinal of the step has the same content. */
  effect: Pick<EffectRef, 'flow' | 'ref' | 'step'>;
};

/**
 * What a transaction shows of its content, in a read, a list or a webhook. The response to the request that created it shows
 * none.
 */
export type ShownContent = {
  [F in 'walletId' | 'tokenId' | 'destinationAddress' | 'contractAddress' | 'abiFunctionSignature']?: string;
} & {
  [F in 'amounts' | 'nftTokenIds']?: string[];
} & { abiParameters?: unknown[] };

export interface ShownTransaction extends ShownContent {
  /** The effect that the `refId` names. Absent if there is no `refId`, or if it is not ours. */
  effect?: EffectRef;
}

/** Whether a transaction is a contract call. All others are transfers. */
export function isCall<T extends object>(sent: T): sent is Extract<T, { contractAddress: string }> {
  return 'contractAddress' in sent;
}

type Comparison<S, T> = (shown: S, sent: T) => boolean;
type Comparisons<T> = Record<string, Comparison<ShownContent, T>>;

const walletId: Comparison<ShownContent, SentTransaction> = (shown, sent) =>
  shown.walletId === undefined || shown.walletId === sent.walletId;

/** How each field of a transfer is compared. One that is not shown is not compared (docs/api-behavior.md#transactions). */
const TRANSFER = {
  walletId,
  destinationAddress: ({ destinationAddress }, sent) =>
    destinationAddress === undefined || sameAddress(sent.blockchain, destinationAddress, sent.destinationAddress),
  tokenId: ({ tokenId }, sent) => tokenId === undefined || tokenId === sent.tokenId,
  amounts: ({ amounts }, sent) => amounts === undefined || isPermutation(amounts, sent.amounts, sameDecimal),
  nftTokenIds: ({ nftTokenIds, amounts }, sent) =>
    nftTokenIds === undefined ||
    isPermutation(pairs(nftTokenIds, amounts), pairs(sent.nftTokenIds ?? [], sent.amounts), samePair),
} satisfies Comparisons<SentTransfer>;

/**
 * The same of a contract call. The API shows an empty list where it shows nothing. A call that was sent as call data has no
 * signature to compare.
 */
const CALL = {
  walletId,
  contractAddress: ({ contractAddress }, sent) =>
    contractAddress === undefined || sameAddress(sent.blockchain, contractAddress, sent.contractAddress),
  abiFunctionSignature: ({ abiFunctionSignature }, sent) =>
    !abiFunctionSignature ||
    sent.abiFunctionSignature === undefined ||
    abiFunctionSignature === sent.abiFunctionSignature,
  abiParameters: ({ abiParameters }, sent) =>
    !abiParameters?.length ||
    sent.abiFunctionSignature === undefined ||
    sameCallParameters(abiParameters, sent.abiParameters ?? []),
  amounts: ({ amounts = [] }, { amount = '0' }) =>
    amounts.length === 0 ||
    (amounts.every(isDecimal) && isPermutation(amounts.filter(isAboveZero), [amount].filter(isAboveZero), sameDecimal)),
} satisfies Comparisons<SentCall>;

function isAboveZero(amount: string): boolean {
  return compareDecimals(amount, '0') > 0;
}

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

/** The fields of a transaction that differ from what was sent, apart from its `refId`. */
export function contentDifferences(shown: ShownContent, sent: SentTransaction): string[] {
  return isCall(sent) ? differences(CALL, shown, sent) : differences(TRANSFER, shown, sent);
}

/** The fields of a transaction that differ from the one that a flow follows. Empty: it is that transaction. */
export function transactionDifferences(shown: ShownTransaction, expected: ExpectedTransaction): string[] {
  const { flow, ref, step } = expected.effect;
  // Every transaction that a flow has sent has a `refId`, so one without it is another one.
  const isOurs = shown.effect?.flow === flow && shown.effect.ref === ref && shown.effect.step === step;
  return [...(isOurs ? [] : ['refId']), ...contentDifferences(shown, expected)];
}

function differences<T>(comparisons: Comparisons<T>, shown: ShownContent, sent: T): string[] {
  return Object.keys(comparisons).filter((field) => !comparisons[field]!(shown, sent));
}
