import type { Hex } from 'viem';
import { type Movement, parseAsset } from '../ledger/ledger';
import { ledgerUnitsOf, tokenOf } from '../ledger/tokens';
import type { World } from '../world/world';
import { ERC1155_ABI, ERC20_ABI, ERC721_ABI } from './contracts/abis';
import { MAX_UINT256 } from './execution';
import { encodeLog, findEvent, type RawLog } from './logs';

interface PlainTransfer {
  /** All of the same token. */
  movements: readonly Movement[];
  sourceAddress: string;
  destinationAddress: string;
  /** Which token it was sent as. Default: the token of its movements. */
  tokenId?: string | undefined;
}

/** The logs of a token's contract for a transfer. Empty for native tokens and for non-EVM tokens. */
export function transferLogs({ store }: World, { movements, tokenId, ...addresses }: PlainTransfer): RawLog[] {
  const [first] = movements;
  const token = tokenId === undefined ? first && tokenOf(store, first.asset) : store.tokens.get(tokenId);
  const address = token?.tokenAddress as Hex | undefined;
  if (!token || !address) return [];
  const from = addresses.sourceAddress.toLowerCase() as Hex;
  const to = addresses.destinationAddress.toLowerCase() as Hex;
  const values = movements.map(({ units }) => units / ledgerUnitsOf(store, token).scale);
  if (values.some((value) => value > MAX_UINT256)) return [];
  switch (token.standard) {
    case 'ERC20':
      return values.map((value) => encodeLog(address, findEvent(ERC20_ABI, 'Transfer'), { from, to, value }));
    case 'ERC721':
      return idsOf(movements).map((tokenId) =>
        encodeLog(address, findEvent(ERC721_ABI, 'Transfer'), { from, to, tokenId }),
      );
    case 'ERC1155': {
      const ids = idsOf(movements);
      const parties = { operator: from, from, to };
      const [id] = ids;
      if (id === undefined) return [];
      return [
        ids.length === 1
          ? encodeLog(address, findEvent(ERC1155_ABI, 'TransferSingle'), { ...parties, id, value: values[0] })
          : encodeLog(address, findEvent(ERC1155_ABI, 'TransferBatch'), { ...parties, ids, values }),
      ];
    }
    default:
      return [];
  }
}

/** NFT ids on EVM blockchains are 256-bit numbers. Returns none if an id is not, which only a control can cause. */
function idsOf(movements: readonly Movement[]): bigint[] {
  const ids = movements.map(({ asset }) => parseAsset(asset).nftTokenId ?? '');
  return ids.every((id) => /^\d+$/.test(id) && BigInt(id) <= MAX_UINT256) ? ids.map(BigInt) : [];
}
