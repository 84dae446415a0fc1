import type { ChallengeRow } from '../users/rows';
import type { Store } from '../world/store';

/** The fields that requests for challenges of any type may have, in display order. */
interface AnyChallengeRequest {
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
  /** Id of the transaction to accelerate or cancel. */
  id?: string;
  message?: string;
  data?: string;
  transaction?: string;
  rawTransaction?: string;
  memo?: string;
  feeLevel?: string;
  refId?: string;
}

/** The request that the user has to approve, as the client would show it. */
export function challengeDetails(store: Store, { request }: ChallengeRow): { label: string; value: string }[] {
  const fields = request as AnyChallengeRequest;
  const token = fields.tokenId === undefined ? fields.tokenAddress : store.tokens.get(fields.tokenId)?.symbol;
  const wallet = fields.walletId === undefined ? undefined : store.wallets.get(fields.walletId)?.resource.address;
  const lines: [label: string, value: string | number | undefined][] = [
    ['Blockchains', fields.blockchains?.join(', ')],
    ['Account', fields.accountType],
    ['Amount', fields.amounts && [fields.amounts.join(', '), token].filter(Boolean).join(' ')],
    ['NFT', fields.nftTokenIds?.join(', ')],
    ['From', wallet ?? fields.sourceAddress ?? fields.walletAddress],
    ['To', fields.destinationAddress],
    ['Contract', fields.contractAddress],
    ['Function', fields.abiFunctionSignature],
    ['Parameters', fields.abiParameters && JSON.stringify(fields.abiParameters)],
    ['Call data', fields.callData],
    ['Value', fields.amount],
    ['Transaction', fields.id ?? fields.transaction ?? fields.rawTransaction],
    ['Message', fields.message],
    ['Typed data', fields.data],
    ['Memo', fields.memo],
    ['Fee', fields.feeLevel],
    ['Reference', fields.refId],
  ];
  return lines.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [{ label, value: String(value) }],
  );
}
