import { checkAddress } from '../../crypto/addresses';
import { type Blockchain, type Chain, CHAINS } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { accountOf, assetOf, EXTERNAL_ACCOUNTS } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { fixedAddress } from '../ledger/tokenCatalog';
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
            asset: assetOf(token.id),
            units: toBaseUnits(amount, token.decimals ?? 0),
          },
        ],
        sourceAddress: fixedAddress(blockchain, 'faucet'),
        destinationAddress: address,
      });
    }
    return { status: 204, body: undefined };
  },
};

function requestedTokens(
  { store }: World,
  blockchain: Blockchain,
  requested: { native?: boolean | undefined; usdc?: boolean | undefined; eurc?: boolean | undefined },
): Token[] {
  return store.tokens
    .all()
    .filter((token) => token.blockchain === blockchain)
    .filter(
      ({ isNative, symbol }) =>
        (requested.native && isNative) ||
        (requested.usdc && symbol === 'USDC') ||
        (requested.eurc && symbol === 'EURC'),
    );
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
