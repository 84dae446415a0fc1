import { checkAddress } from '../../crypto/addresses';
import { type Blockchain, type Chain, CHAINS } from '../../domain/chains';
import { expectedDeposits, type RequestedTokens } from '../../domain/faucet';
import { coinOf, isViewOfNative } from '../../domain/stablecoins';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { accountOf, EXTERNAL_ACCOUNTS } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { fixedAddress } from '../ledger/tokenCatalog';
import { ledgerUnitsOf, toUnits } from '../ledger/tokens';
import { receiveTransfer } from '../transactions/transactionMachine';
import { requireKeyKind } from '../wallets/sender';
import type { World } from '../world/world';

/**
 * Amount of one drip, by the token's symbol; 0.2 of other native tokens
 * (docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets).
 */
const DRIPS: Record<string, string> = { USDC: '20', EURC: '20', SOL: '1', APT: '1' };
const NATIVE_DRIP = '0.2';

/** Drips to an address in 24 hours. The API's error beyond this limit is not published; the emulator returns code 2. */
const MAX_DRIPS = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const faucet: Handlers<'faucet'> = {
  requestDrip({ world, body }) {
    const { blockchain, address } = body;
    const chain: Chain = CHAINS[blockchain];
    requireKeyKind(world, blockchain);
    if (chain.network !== 'testnet' || !chain.transfers) throw new ApiErrorResponse(156027);
    if (checkAddress(chain.family, address) !== undefined) throw new ApiErrorResponse(155219);
    countDrip(world, blockchain, address);

    const to = accountOf(blockchain, address);
    for (const token of requestedTokens(world, blockchain, body)) {
      const amount = DRIPS[token.symbol ?? ''] ?? NATIVE_DRIP;
      receiveTransfer(world, blockchain, {
        movements: [
          {
            from: EXTERNAL_ACCOUNTS.faucet,
            to,
            asset: ledgerUnitsOf(world.store, token).asset,
            units: toUnits(world.store, token, amount),
          },
        ],
        sourceAddress: fixedAddress(blockchain, 'faucet'),
        destinationAddress: address,
      });
    }
    return { status: 204, body: undefined };
  },
};

/** Not by symbol, which a stranger's token may share. On ARC, the native token and USDC are one coin, which is sent once. */
function requestedTokens({ store }: World, blockchain: Blockchain, requested: RequestedTokens): Token[] {
  const coins = new Set(expectedDeposits(blockchain, requested).map(({ coin }) => coin));
  return store.tokens
    .all()
    .filter((token) => token.blockchain === blockchain && !isViewOfNative(token) && coins.has(coinOf(token) ?? ''));
}

function countDrip({ store, clock }: World, blockchain: Blockchain, address: string): void {
  const account = accountOf(blockchain, address);
  const now = clock.now();
  const recent = (store.faucetDrips.get(account) ?? []).filter((at) => now.getTime() - at.getTime() < DAY_MS);
  if (recent.length >= MAX_DRIPS) {
    throw new ApiErrorResponse(2, { message: `The faucet sends at most ${MAX_DRIPS} drips to an address in 24 hours` });
  }
  store.faucetDrips.set(account, [...recent, now]);
}
