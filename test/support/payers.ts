import { randomUUID } from 'node:crypto';
import type { Blockchain } from '../../src/domain/chains';
import type { Stack } from './stack';
import { until } from './until';
import { approve, challengesOf, makeUser, PIN, QUESTIONS } from './users';
import { fund, type FundedWallet } from './wallets';

/** A user with a PIN and one funded wallet on each blockchain. */
export interface Payer {
  userId: string;
  wallets: FundedWallet[];
}

export async function makePayer(
  stack: Stack,
  {
    blockchains = ['ETH-SEPOLIA'],
    accountType = 'EOA',
    native = '10',
    usdc = '1000',
  }: { blockchains?: Blockchain[]; accountType?: 'EOA' | 'SCA'; native?: string; usdc?: string } = {},
): Promise<Payer> {
  const userId = await makeUser(stack);
  const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
  const body = { idempotencyKey: randomUUID(), blockchains, accountType };
  const { challengeId } = (await stack.api.initializeUser({ body }, { userToken })).data;
  await approve(stack, challengeId, { newPin: PIN, questions: QUESTIONS });
  const { wallets } = (await stack.api.listWallets({}, { userToken })).data;
  const funded: FundedWallet[] = [];
  for (const blockchain of blockchains) {
    const { id, address } = wallets.find((wallet) => wallet.blockchain === blockchain)!;
    funded.push(await fund(stack, { id, address, blockchain }, { native, usdc }));
  }
  await until(async () => (await challengesOf(stack, userId)).every(({ status }) => status === 'COMPLETE'));
  return { userId, wallets: funded };
}

/** A payer with the chain's USDC, in a world without faults, without expiring challenges and with an empty journal. */
export async function freshPayer(stack: Stack): Promise<{ payer: Payer; wallet: FundedWallet }> {
  const { control } = stack.world;
  await control.clearFaults();
  await control.changeSettings({ challengeLifetimeMs: null });
  const payer = await makePayer(stack);
  await control.clearJournal();
  return { payer, wallet: payer.wallets[0]! };
}

/** Makes the user reject a challenge, or lets it expire. */
export function resolveChallenge(
  { world }: Pick<Stack, 'world'>,
  id: string,
  action: 'reject' | 'expire',
): Promise<unknown> {
  return world.control.call('POST', `/challenges/${id}/${action}`);
}
