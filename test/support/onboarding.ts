import { randomUUID } from 'node:crypto';
import type { LoginApproval } from '../../src/domain/approval';
import type { FlowHandle } from '../../src/flows/handle';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { StartInput } from '../../src/flows/starter';
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

/** The user approves what is to be approved, with everything that it needs. @returns the challenge */
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
  /** What the user has to enter. */
  needs: string[];
}

/** Of all users. */
export async function challengesToApprove({ world }: Pick<Stack, 'world'>): Promise<ChallengeToApprove[]> {
  return (await world.control.call<{ challenges: ChallengeToApprove[] }>('GET', '/challenges')).challenges;
}

/** The user approves, with everything that it needs. */
export async function approveListed({ world }: Pick<Stack, 'world'>, { id, needs }: ChallengeToApprove) {
  const entries = Object.assign({}, ...needs.map((need) => ENTRIES[need])) as object;
  await world.control.call('POST', `/challenges/${id}/approve`, entries);
}

/** What the user's browser is given to log in with, as soon as there is something. */
export async function deviceLoginOf(flow: Onboarding): Promise<Partial<LoginApproval>> {
  const approval = await flow.approval().catch(() => undefined);
  if (approval?.stage !== 'login') return {};
  const { deviceToken, deviceEncryptionKey, otpToken } = approval;
  return { deviceToken, ...(deviceEncryptionKey && { deviceEncryptionKey }), ...(otpToken && { otpToken }) };
}
