import { accountOf } from '../ledger';
import { Refusal } from '../refusal';
import type { Landed } from '../store';
import type { World } from '../world';
import { isEmulated, partnerAddress } from './blockchains';
import { isWithin } from './markets';
import { fail, giveBack } from './payouts';
import { isExpired, makeQuote } from './quotes';
import { send, usdcOn } from './sending';
import { canEnter, enter, requireCanEnter } from './sessionMachine';
import type { QuoteRow, SessionRow } from './state';

/** Waits for the USDC of a sale at the address that its session shows. */
export function watchDepositAddress(world: World, row: SessionRow, address: string): void {
  const { blockchain } = row.resource.walletAddress;
  if (!isEmulated(blockchain)) return;
  world.store.watched.set(accountOf(blockchain, address), (landed) => take(world, row, landed));
}

/**
 * The customer pays: fiat (BUY), or USDC from where this world has no wallet (SELL), which arrives in its own time.
 * @throws Refusal 2 no amount, 409 not now, or a wallet of this world has to send it; 110700, 110701
 */
export function deposit(world: World, row: SessionRow, amount: bigint | undefined): void {
  requireCanEnter(row, 'DEPOSIT_RECEIVED');
  const { rampType, walletAddress, transaction } = row.resource;
  const { blockchain, address } = walletAddress;
  const units = amount ?? row.given;
  if (units === undefined) throw new Refusal(2, { message: 'The session has no amount: give one' });
  if (rampType === 'BUY') {
    const fromAddress = { blockchain, address: partnerAddress(blockchain, 'payouts') };
    settle(world, row, quoteFor(world, row, units), { fromAddress, toAddress: walletAddress });
    return;
  }
  if (isEmulated(blockchain) && world.store.walletsByAccount.has(accountOf(blockchain, address))) {
    throw new Refusal(409, { message: 'The USDC lies in a wallet of this world: send it by a transfer' });
  }
  const to = transaction?.toAddress?.address ?? '';
  const txHash = send(
    world,
    { blockchain, from: address, to, units },
    isEmulated(blockchain)
      ? {}
      : { whenFinal: () => arrive(world, row, findQuote(world, row, units), { fromAddress: walletAddress, txHash }) },
  );
}

/**
 * Something has come to a session's address: it gets the price of that moment, and is acted on once it is final. Other
 * tokens, and what no session waits for, stay there.
 */
function take(world: World, row: SessionRow, { movement, sourceAddress, txHash }: Landed): (() => void) | undefined {
  const { blockchain } = row.resource.walletAddress;
  if (movement.asset !== usdcOn(blockchain) || !canEnter(row, 'DEPOSIT_RECEIVED')) return undefined;
  const quote = findQuote(world, row, movement.units);
  return () => {
    const hasFailed = row.resource.status === 'FAILED';
    if (!hasFailed && !canEnter(row, 'DEPOSIT_RECEIVED')) return;
    row.deposited = { account: movement.to, from: sourceAddress, units: movement.units };
    if (hasFailed) giveBack(world, row);
    else arrive(world, row, quote, { fromAddress: { blockchain, address: sourceAddress }, txHash });
  };
}

/** Fails when nothing is to be had for such an amount. */
function arrive(world: World, row: SessionRow, quote: QuoteRow | undefined, seen: Seen): void {
  if (!canEnter(row, 'DEPOSIT_RECEIVED')) return;
  if (quote) settle(world, row, quote, seen);
  else fail(world, row);
}

function findQuote(world: World, row: SessionRow, given: bigint): QuoteRow | undefined {
  try {
    return quoteFor(world, row, given);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

type Seen = Pick<NonNullable<SessionRow['resource']['transaction']>, 'fromAddress' | 'toAddress' | 'txHash'>;

function settle(world: World, row: SessionRow, quote: QuoteRow, seen: Seen): void {
  row.quote = quote;
  const { fiatAmount, cryptoAmount, fees, exchangeRate } = quote.resource;
  enter(world, row, 'DEPOSIT_RECEIVED', {
    quote: quote.resource,
    transaction: { ...row.resource.transaction, fiatAmount, cryptoAmount, fees, exchangeRate, ...seen },
  });
}

/** The confirmed quote while it lasts and fits; else a new one, for which the page asks the customer. */
function quoteFor(world: World, row: SessionRow, given: bigint): QuoteRow {
  const { quote } = row;
  if (quote && quote.given === given && !isExpired(world, quote)) return quote;
  const pair = row.pairs.find((candidate) => isWithin(candidate, given));
  if (!pair) throw new Refusal(110700);
  return makeQuote(world, pair, given);
}
