import { CHALLENGE_CALLS, type ChallengeCall } from '../../../src/domain/challengeCalls';
import type { SessionMessage, SessionOperation, SessionRequest, UserAuth } from '../../../src/domain/userSession';
import type { SessionCommand, SessionCommandName } from '../../../workflows/session/commands';
import type { SessionEvent } from '../../../workflows/session/events';
import { reduce } from '../../../workflows/session/reducer';
import { initialState, type SessionState } from '../../../workflows/session/state';

const TOKENS = { userToken: 'sealed', encryptionKey: 'sealed' };

export const PIN_USER: UserAuth = { method: 'pin', userId: 'u' };
export const LOGIN_USER = {
  method: 'login',
  userId: 'u',
  tokens: { ...TOKENS, refreshToken: 'sealed', deviceId: 'd' },
} as unknown as UserAuth;
export const LOGIN_WITHOUT_REFRESH = { method: 'login', userId: 'u', tokens: TOKENS } as unknown as UserAuth;

export interface Opening {
  call?: ChallengeCall;
  /** What the flow knows about the request besides. */
  options?: Partial<SessionRequest>;
  body?: object;
  /** From now, in milliseconds. */
  renewMs?: number;
  ordinal?: number;
}

/** Drives a session step by step: a test decides when each command ends, and how. Messages are delivered at once. */
export class Driver {
  state: SessionState;
  at = 1_700_000_000_000;
  private commands: readonly SessionCommand[] = [];
  private readonly messages: SessionMessage[] = [];
  private count = 0;

  constructor(auth: UserAuth = PIN_USER) {
    this.state = initialState({ auth }, this.at);
  }

  event(event: SessionEvent, afterMs = 1): this {
    this.at += afterMs;
    ({ state: this.state, commands: this.commands } = reduce(this.state, event, this.at));
    return this;
  }

  wait(ms: number): this {
    return this.event({ type: 'alarm' }, ms).deliver();
  }

  request(flow: string, operation: SessionOperation, options: Partial<SessionRequest> = {}): string {
    const id = `request-${++this.count}`;
    const firstRunId = `run of ${flow}`;
    this.event({ type: 'request', request: { id, flow, firstRunId, sentAt: this.at, operation, ...options } });
    return id;
  }

  /** A flow requests a challenge. @returns the id of the request */
  open(flow: string, { call = 'updateUserPin', body = {}, renewMs, ordinal = 1, options }: Opening = {}): string {
    const operation = {
      type: 'openChallenge',
      challengeRequest: { effect: effectOf(flow, ordinal), call, body },
      ...(renewMs !== undefined && { renewUntil: this.at + renewMs }),
    } as const;
    const id = this.request(flow, operation, options);
    this.deliver();
    return id;
  }

  awaitEnd(flow: string, challengeId: string): string {
    const id = this.request(flow, { type: 'awaitChallengeEnd', challengeId, challengeType: 'CHANGE_PIN' });
    this.deliver();
    return id;
  }

  withdraw(flow: string, ordinal = 1): void {
    this.request(flow, { type: 'withdraw', effect: effectOf(flow, ordinal) });
    this.deliver();
  }

  /** The list that is being read shows these challenges of the user. */
  listed(ids: readonly string[] = [], resetRunId?: string): this {
    const { key } = this.one('list');
    const challenges = ids.map((id) => ({ id, type: 'CHANGE_PIN', status: 'PENDING', correlationIds: [] }));
    return this.event({ type: 'listed', key, challenges, ...(resetRunId && { resetRunId }) }).deliver();
  }

  listFailed(code: number): this {
    const { key, tokensVersion } = this.one('list');
    return this.event({ type: 'listFailed', key, tokensVersion, failure: failure(code, false) }).deliver();
  }

  /** The request that is wanted is sent, and answered. */
  sent(challengeId: string): this {
    const { key } = this.one('send');
    return this.event({ type: 'sending', key }).event({ type: 'sent', key, challengeId }).deliver();
  }

  /** The request that is wanted is sent, and fails. Without a code, no response comes. */
  sendFailed(code = 0, tainted = code === 0): this {
    const { key, tokensVersion } = this.one('send');
    this.event({ type: 'sending', key });
    return this.event({ type: 'sendFailed', key, tokensVersion, failure: failure(code, tainted) }).deliver();
  }

  ended(id: string, status: string, type: string = CHALLENGE_CALLS.updateUserPin.type): this {
    return this.event({ type: 'ended', challenge: { id, type, status, correlationIds: [] } }).deliver();
  }

  /** The lookups after an unknown outcome find nothing. */
  findNothing(): this {
    this.listed();
    for (const ms of [3_000, 10_000, 30_000]) this.wait(ms).listed();
    return this;
  }

  deliver(): this {
    for (;;) {
      const [command] = this.wanted('deliver');
      if (!command) return this;
      this.messages.push(command.outgoing.message);
      this.event({ type: 'delivered', number: command.outgoing.number }, 0);
    }
  }

  wanted<N extends SessionCommandName>(name: N): Extract<SessionCommand, { name: N }>[] {
    return this.commands.filter((each): each is Extract<SessionCommand, { name: N }> => each.name === name);
  }

  /** The responses to a request. */
  responses(id: string): SessionMessage[] {
    return this.messages.filter((message) => 'id' in message && message.id === id);
  }

  /** How often flows were notified of a restriction. */
  get notices(): number {
    return this.messages.filter((message) => 'restriction' in message).length;
  }

  /** The states of all challenge requests. */
  get states(): string[] {
    return Object.values(this.state.records).map(({ state }) => state.name);
  }

  private one<N extends SessionCommandName>(name: N): Extract<SessionCommand, { name: N }> {
    const [command] = this.wanted(name);
    if (!command) throw new Error(`The session does not want to ${name}`);
    return command;
  }
}

export function effectOf(flow: string, ordinal: number) {
  return { flow: 'f', ref: flow, step: 's', ordinal };
}

export function failure(code: number, tainted: boolean) {
  return { code, name: `Code${code}`, status: 0, endpoint: '', kind: 'resolve', remedy: '', tainted } as const;
}
