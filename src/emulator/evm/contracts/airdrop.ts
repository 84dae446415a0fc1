import type { Hex } from 'viem';
import { codeAt } from '../contractCode';
import { ZERO } from '../execution';
import { Revert } from '../revert';
import { AIRDROP_ABI } from './abis';
import { ERC1155 } from './erc1155';
import { ERC20 } from './erc20';
import { ERC721 } from './erc721';
import { type Frame, nativeContract, type NativeContract, sameHex } from './nativeContract';

/** Sends tokens of its owner to many recipients in one call. The owner must have approved the contract. */
export const AIRDROP = nativeContract(AIRDROP_ABI, {
  owner: ({ contract }) => contract.admin ?? ZERO,
  airdropERC20(frame, tokenAddress, contents) {
    for (const { recipient, amount } of contents) {
      send(frame, tokenAddress, ERC20, 'transferFrom', [frame.sender, recipient, amount]);
    }
  },
  airdropERC721(frame, tokenAddress, contents) {
    for (const { recipient, tokenId } of contents) {
      send(frame, tokenAddress, ERC721, 'safeTransferFrom', [frame.sender, recipient, tokenId]);
    }
  },
  airdropERC1155(frame, tokenAddress, contents) {
    for (const { recipient, tokenId, amount } of contents) {
      send(frame, tokenAddress, ERC1155, 'safeTransferFrom', [frame.sender, recipient, tokenId, amount, '0x']);
    }
  },
});

function send(frame: Frame, tokenAddress: Hex, token: NativeContract, name: string, args: readonly unknown[]): void {
  const { execution, contract, sender } = frame;
  if (contract.admin === undefined || !sameHex(contract.admin, sender)) throw new Revert('caller is not the owner');
  const code = codeAt(execution.world, execution.blockchain, tokenAddress);
  if (code?.abi !== token.abi) throw new Revert('the token is not of this standard');
  token.functions[name]?.({ execution, contract: code, sender: contract.address }, ...(args as never[]));
}
