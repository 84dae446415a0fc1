import { randomUUID } from 'node:crypto';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { opener } from '../../src/crypto/sealing';
import { type DeviceLogin, deviceLoginField } from '../../src/domain/deviceLogin';
import type { FlowHandle } from '../../src/flows/handle';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { StartInput } from '../../src/flows/starter';
import { payloadsOf } from './secrets';
import type { Stack } from './stack';
import { until } from './until';

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

/** The challenge that the user is to approve, as soon as there is one, and another than `before`. */
export async function challengeOf(flow: Onboarding, before?: string): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    const { approval, outcome } = await flow.progress();
    if (outcome) throw new Error(`The flow has ended: ${JSON.stringify(outcome)}`);
    id = approval?.challengeId;
    return id !== undefined && id !== before;
  }, 'the challenge');
  return id!;
}

/** The user approves what is to be approved, with everything that it needs. @returns the challenge */
export async function approveNext({ world }: Stack, flow: Onboarding, before?: string): Promise<string> {
  const id = await challengeOf(flow, before);
  const { challenges } = await world.control.call<{ challenges: { id: string; needs: string[] }[] }>(
    'GET',
    '/challenges',
  );
  const { needs } = challenges.find((challenge) => challenge.id === id)!;
  await world.control.call(
    'POST',
    `/challenges/${id}/approve`,
    Object.assign({}, ...needs.map((need) => ENTRIES[need])),
  );
  return id;
}

/** What the user's browser is given to log in with, opened as a worker would. */
export async function deviceLoginOf(
  stack: Stack,
  flow: Onboarding,
): Promise<Partial<Record<keyof DeviceLogin, string>>> {
  const history = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
  const payloads = await new EncryptingCodec(stack.keyRing).decode(payloadsOf(history));
  const logins = payloads.map(
    ({ data }) => JSON.parse(Buffer.from(data ?? []).toString() || 'null') as Partial<DeviceLogin> | null,
  );
  const latest = Object.assign({}, ...logins.filter((login) => login?.deviceToken ?? login?.otpToken)) as DeviceLogin;
  const open = opener(stack.sealingKeys);
  const entries = (['deviceToken', 'deviceEncryptionKey', 'otpToken'] as const).map(async (field) => {
    const sealed = latest[field];
    return sealed && [field, await open.open(sealed, { flow: flow.workflowId, field: deviceLoginField(field) })];
  });
  return Object.fromEntries((await Promise.all(entries)).filter((entry) => entry !== undefined));
}
