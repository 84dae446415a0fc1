import { checkAddress } from '../../crypto/addresses';
import { CHAINS, type Blockchain, type Chain } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import type { Handlers } from '../area';
import { requireKeyKind } from '../checks/source';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf } from '../ledger';
import { Refusal } from '../refusal';
import type { Token } from '../resources';
import { fixedAddress } from '../tokensCatalogue';
import { receive } from '../transactionMachine';
import type { World } from '../world';

/** What one drip holds, by the token's symbol (api-facts 13: 20 USDC, up to 0.2 native); other natives 0.2. */
const DRIPS: Record<string, string> = { USDC: '20', EURC: '20', SOL: '1', APT: '1' };
const NATIVE_DRIP = '0.2';

/** Ten drips to an address in a day (api-facts 13). The API's answer beyond is not published; ours is code 2. */
const MOST_DRIPS = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const faucet: Handlers<'faucet'> = {
  requestDrip({ world, body }) {
    const { blockchain, address } = body;
    const chain: Chain = CHAINS[blockchain];
    requireKeyKind(world, blockchain);
    if (chain.network !== 'testnet' || !chain.transfers) throw new Refusal(156027);
    if (checkAddress(chain.family, address) !== undefined) throw new Refusal(155219);
    countDrip(world, blockchain, address);

    const to = accountOf(blockchain, address);
    for (const token of wantedTokens(world, blockchain, body)) {
      const amount = DRIPS[token.symbol ?? ''] ?? NATIVE_DRIP;
      receive(world, blockchain, {
        movements: [
          {
            from: OUTSIDE_ACCOUNTS.faucet,
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

function wantedTokens(
  { store }: World,
  blockchain: Blockchain,
  wanted: { native?: boolean | undefined; usdc?: boolean | undefined; eurc?: boolean | undefined },
): Token[] {
  return store.tokens
    .all()
    .filter((token) => token.blockchain === blockchain)
    .filter(
      ({ isNative, symbol }) =>
        (wanted.native && isNative) || (wanted.usdc && symbol === 'USDC') || (wanted.eurc && symbol === 'EURC'),
    );
}

function countDrip({ store, clock }: World, blockchain: Blockchain, address: string): void {
  const account = accountOf(blockchain, address);
  const now = clock.now();
  const recent = (store.drips.get(account) ?? []).filter((at) => now.getTime() - at.getTime() < DAY_MS);
  if (recent.length >= MOST_DRIPS) {
    throw new Refusal(2, { message: `The faucet gives ${MOST_DRIPS} drips to an address in 24 hours` });
  }
  store.drips.set(account, [...recent, now]);
}
