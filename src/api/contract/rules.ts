import { compareDecimals } from '../../domain/money';
import type { Rule } from './endpoint';
import { isDecimalValue } from './schema';

/**
 * Rules of the API reference for transaction requests that can be checked from the body alone. Endpoints share them.
 */

type Decimal = string | number;
export interface SourceFields {
  walletId?: string | undefined;
  sourceAddress?: string | undefined;
  walletAddress?: string | undefined;
  blockchain?: string | undefined;
}
export interface FeeFields {
  feeLevel?: string | undefined;
  gasLimit?: Decimal | undefined;
  gasPrice?: Decimal | undefined;
  maxFee?: Decimal | undefined;
  priorityFee?: Decimal | undefined;
}
export interface AmountFields {
  amounts?: Decimal[] | undefined;
  nftTokenIds?: string[] | undefined;
}
export interface CallFields {
  callData?: string | undefined;
  abiFunctionSignature?: string | undefined;
  abiParameters?: unknown[] | undefined;
}

/** The API's generic "parameter invalid" (docs/api-behavior.md#envelopes-errors-and-paging). */
export const INVALID_PARAMETER = 2;

const address = (body: SourceFields) => body.sourceAddress ?? body.walletAddress;
const has = (value: unknown) => value !== undefined;
const fees = (body: FeeFields) =>
  [body.gasLimit, body.gasPrice, body.maxFee, body.priorityFee].filter(has) as Decimal[];

/** Either `walletId`, or an address with its blockchain. */
export const ONE_SOURCE: readonly Rule<SourceFields>[] = [
  [155244, (body) => has(body.walletId) && has(address(body))],
  [INVALID_PARAMETER, (body) => !has(body.walletId) && !(has(address(body)) && has(body.blockchain))],
];

/** The fee rules that do not depend on account type or chain. The others need the wallet's state. */
export const FEE_RULES: readonly Rule<FeeFields>[] = [
  [155236, (body) => fees(body).some((fee) => !isDecimalValue(fee))],
  [155234, (body) => has(body.feeLevel) && (has(body.gasPrice) || has(body.maxFee) || has(body.priorityFee))],
  [155231, (body) => !has(body.feeLevel) && !has(body.gasLimit)],
  [
    155237,
    ({ maxFee, priorityFee }) =>
      maxFee !== undefined && priorityFee !== undefined && compareDecimals(String(priorityFee), String(maxFee)) > 0,
  ],
];

export const AMOUNT_RULES: readonly Rule<AmountFields>[] = [
  [155224, (body) => body.amounts?.some((amount) => !isDecimalValue(amount)) ?? false],
  [155242, (body) => has(body.nftTokenIds) && body.nftTokenIds?.length !== body.amounts?.length],
];

/** Either `callData`, or an ABI signature with its parameters. */
export const ONE_CALL: readonly Rule<CallFields>[] = [
  [155247, (body) => has(body.callData) && (has(body.abiFunctionSignature) || has(body.abiParameters))],
  [155230, (body) => !has(body.callData) && !has(body.abiFunctionSignature)],
];
