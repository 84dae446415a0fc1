import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { accountOf } from '../ledger/ledger';
import type { ReceivedDeposit } from '../world/transactionRows';
import type { World } from '../world/world';
import { isEmulated, partnerAddress } from './blockchains';
import { isWithin } from './markets';
import { fail, refundDeposit } from './payouts';
import { isExpired, makeQuote } from './quotes';
import { canEnter, enter, requireCanEnter } from './sessionMachine';
import type { QuoteRow, SessionRow } from './state';
import { sendUsdc, usdcOn } from './usdcTransfers';

/** Waits for the USDC of a sale at the session's deposit address. */
export function watchDepositAddress(world: World, row: SessionRow, address: string): void {
  const { blockchain } = row.resource.walletAddress;
  if (!isEmulated(blockchain)) return;
  world.store.depositWatchers.set(accountOf(blockchain, address), (received) => onDeposit(world, row, received));
}

/**
 * The customer pays: fiat (BUY), or USDC from an address outside this world (SELL), which arrives at the blockchain's pace.
 * @throws ApiErrorResponse 2 no amount, 409 the status does not allow it or a wallet of this world has to send the USDC,
 * 110700, 110701
 */
export function deposit(world: World, row: SessionRow, amount: bigint | undefined): void {
  requireCanEnter(row, 'DEPOSIT_RECEIVED');
  const { rampType, walletAddress, transaction } = row.resource;
  const { blockchain, address } = walletAddress;
  const units = amount ?? row.customerAmount;
  if (units === undefined)
    throw new ApiErrorResponse(2, { message: 'amount: is required, because the session has none' });
  if (rampType === 'BUY') {
    const fromAddress = { blockchain, address: partnerAddress(blockchain, 'payouts') };
    acceptDeposit(world, row, quoteFor(world, row, units), { fromAddress, toAddress: walletAddress });
    return;
  }
  if (isEmulated(blockchain) && world.store.walletsByAccount.has(accountOf(blockchain, address))) {
    throw new ApiErrorResponse(409, {
      message: 'The address belongs to a wallet of this world: send the USDC with a transfer',
    });
  }
  const to = transaction?.toAddress?.address ?? '';
  const txHash = sendUsdc(
    world,
    { blockchain, from: address, to, units },
    isEmulated(blockchain)
      ? {}
      : {
          whenFinal: () =>
            processDeposit(world, row, findQuote(world, row, units), { fromAddress: walletAddress, txHash }),
        },
  );
}

/**
 * Handles a transfer to a session's deposit address. USDC is priced now and processed when the transfer is final. Other
 * tokens, and USDC that the session does not expect, stay at the address.
 * @returns what to do when the transfer is final
 */
function onDeposit(
  world: World,
  row: SessionRow,
  { movement, sourceAddress, txHash }: ReceivedDeposit,
): (() => void) | undefined {
  const { blockchain } = row.resource.walletAddress;
  if (movement.asset !== usdcOn(blockchain) || !canEnter(row, 'DEPOSIT_RECEIVED')) return undefined;
  const quote = findQuote(world, row, movement.units);
  return () => {
    const hasFailed = row.resource.status === 'FAILED';
    if (!hasFailed && !canEnter(row, 'DEPOSIT_RECEIVED')) return;
    row.deposited = { account: movement.to, from: sourceAddress, units: movement.units };
    if (hasFailed) refundDeposit(world, row);
    else processDeposit(world, row, quote, { fromAddress: { blockchain, address: sourceAddress }, txHash });
  };
}

/** Accepts the deposit at the quote's price. Without a quote the amount cannot be traded, and the session fails. */
function processDeposit(world: World, row: SessionRow, quote: QuoteRow | undefined, details: DepositDetails): void {
  if (!canEnter(row, 'DEPOSIT_RECEIVED')) return;
  if (quote) acceptDeposit(world, row, quote, details);
  else fail(world, row);
}

function findQuote(world: World, row: SessionRow, customerAmount: bigint): QuoteRow | undefined {
  try {
    return quoteFor(world, row, customerAmount);
  } catch (error) {
    if (error instanceof ApiErrorResponse) return undefined;
    throw error;
  }
}

type DepositDetails = Pick<NonNullable<SessionRow['resource']['transaction']>, 'fromAddress' | 'toAddress' | 'txHash'>;

function acceptDeposit(world: World, row: SessionRow, quote: QuoteRow, details: DepositDetails): void {
  row.quote = quote;
  const { fiatAmount, cryptoAmount, fees, exchangeRate } = quote.resource;
  enter(world, row, 'DEPOSIT_RECEIVED', {
    quote: quote.resource,
    transaction: { ...row.resource.transaction, fiatAmount, cryptoAmount, fees, exchangeRate, ...details },
  });
}

/** The confirmed quote if it is still valid and for this amount, else a new one, which the page asks the customer to confirm. */
function quoteFor(world: World, row: SessionRow, customerAmount: bigint): QuoteRow {
  const { quote } = row;
  if (quote && quote.customerAmount === customerAmount && !isExpired(world, quote)) return quote;
  const pair = row.pairs.find((candidate) => isWithin(candidate, customerAmount));
  if (!pair) throw new ApiErrorResponse(110700);
  return makeQuote(world, pair, customerAmount);
}
