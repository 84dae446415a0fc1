import { sameAddress } from './chains';
import type { EffectRef } from './effect';
import { sameDecimal } from './money';

/** What a transfer moves, without its fee. */
export interface TransferMovement {
  walletId: string;
  tokenId: string;
  destinationAddress: string;
  /** Decimal strings, in tokens. */
  amounts: string[];
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
export type ShownContent = { [F in 'walletId' | 'tokenId' | 'destinationAddress']?: string } & { amounts?: string[] };

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
  amounts: ({ amounts }, sent) =>
    amounts === undefined ||
    (amounts.length === sent.amounts.length &&
      amounts.every((amount, index) => sameDecimal(amount, sent.amounts[index]!))),
} satisfies Record<string, Comparison<ShownContent, SentTransfer>>;

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
