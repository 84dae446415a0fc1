import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { StartInput } from '../../src/client/flowStarter';
import type { LoginCredentials } from '../../src/domain/approvalCredentials';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { Stack } from './stack';
import { challengeOf } from './users';

export type Onboarding = FlowHandle<OnboardUserResult>;
type Input = StartInput<'onboardUser'>;

export const PIN = '123456';
const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];
const ENTRIES: Record<string, object> = {
  pin: { pin: PIN },
  newPin: { newPin: PIN },
  questions: { questions: QUESTIONS },
  answers: { answers: QUESTIONS.map(({ answer }) => answer) },
};

const WALLETS: Input['wallets'] = [{ blockchains: ['ETH-SEPOLIA'] }];

export function byPin(more: object = {}): Input {
  return { ref: `o-${randomUUID()}`, method: 'pin', userId: `user-${randomUUID()}`, wallets: WALLETS, ...more };
}

export function byEmail(more: object = {}): Input {
  const email = `${randomUUID()}@example.com`;
  return { ref: `o-${randomUUID()}`, method: 'email', email, deviceId: randomUUID(), wallets: WALLETS, ...more };
}

export function bySocial(more: object = {}): Input {
  return {
    ref: `o-${randomUUID()}`,
    method: 'social',
    provider: 'Google',
    deviceId: randomUUID(),
    wallets: WALLETS,
    ...more,
  };
}

/** Approves the flow's next challenge with every entry that it needs. @returns the challenge's id */
export async function approveNext(stack: Stack, flow: Onboarding, before?: string): Promise<string> {
  const id = await challengeOf(flow, before);
  const challenges = await challengesToApprove(stack);
  await approveListed(
    stack,
    challenges.find((challenge) => challenge.id === id)!,
  );
  return id;
}

interface ChallengeToApprove {
  id: string;
  /** Names of the entries that the user has to make. */
  needs: string[];
}

/** The challenges of all users. */
export async function challengesToApprove({ world }: Pick<Stack, 'world'>): Promise<ChallengeToApprove[]> {
  return (await world.control.call<{ challenges: ChallengeToApprove[] }>('GET', '/challenges')).challenges;
}

/** Approves a challenge with every entry that it needs. */
export async function approveListed({ world }: Pick<Stack, 'world'>, { id, needs }: ChallengeToApprove) {
  const entries = Object.assign({}, ...needs.map((need) => ENTRIES[need])) as object;
  await world.control.call('POST', `/challenges/${id}/approve`, entries);
}

/** The credentials with which the user's browser logs in; empty until the flow offers them. */
export async function deviceLoginOf(flow: Onboarding): Promise<Partial<LoginCredentials>> {
  const approval = await flow.approval().catch(() => undefined);
  if (approval?.type !== 'login') return {};
  const { deviceToken, deviceEncryptionKey, otpToken } = approval;
  return { deviceToken, ...(deviceEncryptionKey && { deviceEncryptionKey }), ...(otpToken && { otpToken }) };
}
