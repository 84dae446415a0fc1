import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { InitiatorOptions, StartInput } from '../../src/client/flowStarter';
import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import { callOf } from '../support/contractCalls';
import { mint, nftContract } from '../support/nfts';
import { makePayer } from '../support/payers';
import type { Stack } from '../support/stack';
import { makeInitializedUser } from '../support/users';
import { fundedWallet } from '../support/wallets';

type PinAction = 'set' | 'change' | 'restore';

export const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** More than `fundedWallet` puts into a wallet. */
export const TOO_MUCH = '5000';

export async function transfer(
  stack: Stack,
  more: Partial<StartInput<'transfer'>> = {},
  initiator?: InitiatorOptions,
): Promise<FlowHandle<unknown>> {
  const wallet = await fundedWallet(stack);
  const input = { from: { walletId: wallet.id }, to: TO, tokenId: wallet.usdcId, amount: '10.50' };
  return stack.flows.transfer.start({ ref: `replay-${randomUUID()}`, ...input, ...more }, initiator);
}

/** Calls the contract of USDC. */
export async function contractCall(
  stack: Stack,
  more: Partial<StartInput<'executeContract'>> = {},
): Promise<FlowHandle<unknown>> {
  const { id } = await fundedWallet(stack);
  return stack.flows.executeContract.start({ ...callOf({ id }), ref: `replay-${randomUUID()}`, ...more });
}

export async function userContractCall(
  stack: Stack,
  more: Partial<StartInput<'executeContract'>> = {},
): Promise<FlowHandle<unknown>> {
  const { wallets } = await makePayer(stack);
  return contractCall(stack, { from: { walletId: wallets[0]!.id }, ...more });
}

/** Sends two ids of an ERC-1155 contract. */
export async function nftTransfer(stack: Stack): Promise<FlowHandle<unknown>> {
  const { id, blockchain } = await fundedWallet(stack);
  const tokenId = await nftContract(stack, 'erc1155', blockchain);
  const nfts = [
    { id: '1', amount: '3' },
    { id: '2', amount: '1' },
  ];
  await mint(stack, id, tokenId, nfts);
  return transfer(stack, { from: { walletId: id }, tokenId, nfts, amount: undefined });
}

export async function userTransfer(
  stack: Stack,
  more: Partial<StartInput<'transfer'>> = {},
): Promise<FlowHandle<unknown>> {
  const { wallets } = await makePayer(stack);
  return transfer(stack, { from: { walletId: wallets[0]!.id }, ...more });
}

export async function addUserWallets(stack: Stack): Promise<FlowHandle<unknown>> {
  return walletsOf(stack, await makeInitializedUser(stack));
}

/** A flow that adds wallets of an existing user. */
export function walletsOf({ flows }: Stack, userId: string): Promise<FlowHandle<unknown>> {
  return flows.addUserWallets.start({ ref: `replay-${randomUUID()}`, userId, blockchains: ['ETH-SEPOLIA'] });
}

export async function changePin(stack: Stack, action: PinAction): Promise<FlowHandle<unknown>> {
  return changePinOf(stack, await makeInitializedUser(stack), action);
}

/** A flow that changes the PIN of an existing user. */
export function changePinOf({ flows }: Stack, userId: string, action: PinAction): Promise<FlowHandle<unknown>> {
  return flows.changePin.start({ ref: `replay-${randomUUID()}`, userId, action });
}

export function signMessage(
  stack: Stack,
  walletId: string,
  more: Partial<StartInput<'signPayload'>> = {},
): Promise<FlowHandle<unknown>> {
  const payload = { kind: 'message', message: 'I agree' } as const;
  return stack.flows.signPayload.start({ ref: `replay-${randomUUID()}`, walletId, payload, ...more });
}

export async function fundTestnet(stack: Stack): Promise<FlowHandle<unknown>> {
  const { id } = await fundedWallet(stack);
  const input: FundTestnetInput = { walletId: id, native: true, usdc: true };
  return stack.flows.fundTestnet.start({ ref: `replay-${randomUUID()}`, ...input });
}
