import type { Store } from '../store';
import type { ChallengeRow } from '../users/rows';

/** What the request of a challenge of any type may have, in the order in which a user reads it. */
interface Request {
  blockchains?: readonly string[];
  accountType?: string;
  amounts?: readonly (string | number)[];
  nftTokenIds?: readonly string[];
  tokenId?: string;
  tokenAddress?: string;
  walletId?: string;
  sourceAddress?: string;
  walletAddress?: string;
  destinationAddress?: string;
  contractAddress?: string;
  abiFunctionSignature?: string;
  abiParameters?: readonly unknown[];
  callData?: string;
  amount?: string | number;
  /** Of a transaction that is replaced. */
  id?: string;
  message?: string;
  data?: string;
  transaction?: string;
  rawTransaction?: string;
  memo?: string;
  feeLevel?: string;
  refId?: string;
}

/** What the user is to agree to, as its client would show it. */
export function asksOf(store: Store, { request }: ChallengeRow): { label: string; value: string }[] {
  const asked = request as Request;
  const token = asked.tokenId === undefined ? asked.tokenAddress : store.tokens.get(asked.tokenId)?.symbol;
  const wallet = asked.walletId === undefined ? undefined : store.wallets.get(asked.walletId)?.resource.address;
  const lines: [label: string, value: string | number | undefined][] = [
    ['Blockchains', asked.blockchains?.join(', ')],
    ['Account', asked.accountType],
    ['Amount', asked.amounts && [asked.amounts.join(', '), token].filter(Boolean).join(' ')],
    ['NFT', asked.nftTokenIds?.join(', ')],
    ['From', wallet ?? asked.sourceAddress ?? asked.walletAddress],
    ['To', asked.destinationAddress],
    ['Contract', asked.contractAddress],
    ['Function', asked.abiFunctionSignature],
    ['Parameters', asked.abiParameters && JSON.stringify(asked.abiParameters)],
    ['Call data', asked.callData],
    ['Value', asked.amount],
    ['Transaction', asked.id ?? asked.transaction ?? asked.rawTransaction],
    ['Message', asked.message],
    ['Typed data', asked.data],
    ['Memo', asked.memo],
    ['Fee', asked.feeLevel],
    ['Reference', asked.refId],
  ];
  return lines.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [{ label, value: String(value) }],
  );
}
