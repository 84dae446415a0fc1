import type { Hex } from 'viem';
import { partsOf, type Movement } from '../../ledger';
import { tokenOf } from '../../tokens';
import type { World } from '../../world';
import { ERC1155_ABI, ERC20_ABI, ERC721_ABI } from './abis';
import { MAX_UINT256 } from './execution';
import { encodeLog, findEvent, type RawLog } from './logs';

interface PlainTransfer {
  /** Of one token. */
  movements: readonly Movement[];
  sourceAddress: string;
  destinationAddress: string;
}

/** What a token's contract logs of a plain transfer. Native tokens have no contract, and other families no logs. */
export function transferLogs({ store }: World, { movements, ...addresses }: PlainTransfer): RawLog[] {
  const [first] = movements;
  const token = first && tokenOf(store, first.asset);
  const address = token?.tokenAddress as Hex | undefined;
  if (!token || !address) return [];
  const from = addresses.sourceAddress.toLowerCase() as Hex;
  const to = addresses.destinationAddress.toLowerCase() as Hex;
  const values = movements.map(({ units }) => units);
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

/** On EVM blockchains ids are numbers of 256 bits, as units are. What came otherwise, by a control, is in no log. */
function idsOf(movements: readonly Movement[]): bigint[] {
  const ids = movements.map(({ asset }) => partsOf(asset).nftTokenId ?? '');
  return ids.every((id) => /^\d+$/.test(id) && BigInt(id) <= MAX_UINT256) ? ids.map(BigInt) : [];
}
