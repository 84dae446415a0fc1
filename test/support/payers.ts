import { randomUUID } from 'node:crypto';
import type { Blockchain } from '../../src/domain/chains';
import type { Stack } from './stack';
import { until } from './until';
import { approve, challengesOf, makeUser, PIN, QUESTIONS } from './users';
import { fund, type FundedWallet } from './wallets';

/** A user with a PIN and funded wallets, one on each of the blockchains. */
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

/** What the user does about a challenge. */
export function act({ world }: Pick<Stack, 'world'>, id: string, what: 'reject' | 'expire'): Promise<unknown> {
  return world.control.call('POST', `/challenges/${id}/${what}`);
}
