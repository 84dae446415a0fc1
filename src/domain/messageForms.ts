import type { ApiFailure } from './apiFailure';
import type { ApprovalCredentialsRequest } from './approvalCredentials';
import { MAX_CALL_BYTES } from './callParameters';
import { CHALLENGE_CALLS } from './challengeCalls';
import type { EffectRef } from './effect';
import { ERROR_KINDS, type ErrorKind } from './errorKind';
import { FLOW_EVENT_TYPES, type FlowEvent } from './flowEvent';
import type { FlowStart } from './flowStart';
import {
  anyObject,
  anyText,
  anyValue,
  flag,
  type Form,
  FormError,
  integer,
  json,
  keyOf,
  keysOf,
  listOf,
  MAX_TEXT_LENGTH,
  number,
  objectOf,
  optional,
  orElse,
  readableOf,
  readForm,
  setFlag,
  text,
  time,
  variantOf,
} from './forms';
import { type HeldEvent, type HeldEventsContent, NO_HELD_EVENTS } from './heldEvents';
import { INPUT_REQUESTS } from './inputRequests';
import type {
  CancelRequest,
  ChallengeUpdate,
  DecideRequest,
  ProvideRequest,
  SealedBearerToken,
  TransactionUpdate,
} from './messages';
import type { RiskSignal, ScreeningFacts } from './screeningFacts';
import { isSealed, MAX_SEALED_LENGTH, type Sealed } from './sealed';
import { type ExpectedTransaction, isCall, type SentCall } from './sentTransaction';
import { FOLLOW_UNTIL } from './transactionState';
import type {
  ChallengeRequest,
  LoginTokens,
  NumberedMessage,
  SentChallengeRequest,
  SessionMessage,
  SessionOperation,
  SessionRequest,
  SessionStart,
  UserAuth,
  UserRestriction,
} from './userSession';

// The form of every message to a workflow, and of what a workflow starts with.

/** Far more than an event of a flow has, and far less than Temporal's limit of 2 MB for one payload. */
const MAX_EVENT_BYTES = 250_000;
/** The largest response of a session: a list of wallets. */
const MAX_RESPONSE_BYTES = 1_000_000;

const sealed: Form<Sealed> = (value, path) => {
  if (isSealed(value) && value.ciphertext.length <= MAX_SEALED_LENGTH) return value;
  throw new FormError(path, `a sealed value of at most ${MAX_SEALED_LENGTH} characters`);
};

const SENDER = "a sealed token; send the message through a handle, which seals the caller's JWT";
const bearerToken: Form<SealedBearerToken> = (value, path) => {
  const token = (value as Partial<SealedBearerToken> | null | undefined)?.token;
  if (isSealed(token) && token.ciphertext.length <= MAX_SEALED_LENGTH) return { token };
  throw new FormError(path, SENDER);
};

export const decideForm = objectOf<DecideRequest>({ choice: anyText, attention: anyText, by: bearerToken });
/** The table of the input checks `data`. */
export const provideForm = objectOf<ProvideRequest>({
  name: keyOf(INPUT_REQUESTS),
  data: anyObject,
  by: bearerToken,
});
export const cancelForm = objectOf<CancelRequest>({ by: bearerToken });
/** `publicKeyProblem` checks the key. */
export const approvalForm = objectOf<ApprovalCredentialsRequest>({
  publicKey: anyValue,
  challengeId: optional(text),
});

export const effectForm = objectOf<EffectRef>({ flow: text, ref: text, step: text, ordinal: integer });
const riskSignalForm = objectOf<RiskSignal>({
  source: optional(anyText),
  riskScore: optional(anyText),
  riskCategories: optional(listOf(anyText)),
  type: optional(anyText),
});
export const screeningForm = objectOf<ScreeningFacts>({
  ruleName: optional(anyText),
  actions: optional(listOf(anyText)),
  reasons: optional(listOf(riskSignalForm)),
});

const callParametersForm: Form<unknown[]> = (value, path) => {
  if (!Array.isArray(value)) throw new FormError(path, 'a list');
  return json(MAX_CALL_BYTES)(value, path) as unknown[];
};

export const transactionUpdateForm = objectOf<TransactionUpdate>({
  notificationId: text,
  id: text,
  state: text,
  amounts: optional(listOf(anyText)),
  nftTokenIds: optional(listOf(anyText)),
  txHash: optional(anyText),
  networkFee: optional(anyText),
  errorReason: optional(anyText),
  errorDetails: optional(anyText),
  walletId: optional(anyText),
  tokenId: optional(anyText),
  destinationAddress: optional(anyText),
  contractAddress: optional(anyText),
  abiFunctionSignature: optional(anyText),
  abiParameters: optional(callParametersForm),
  effect: optional(effectForm),
  screening: optional(screeningForm),
});

export const challengeUpdateForm = objectOf<ChallengeUpdate>({
  notificationId: text,
  id: text,
  userId: text,
  type: anyText,
  status: text,
  correlationIds: listOf(text),
  errorCode: optional(integer),
});

const sentByForm = objectOf<ExpectedTransaction['effect']>({ flow: text, ref: text, step: text });
const expectedTransferForm = objectOf<Exclude<ExpectedTransaction, SentCall>>({
  walletId: text,
  blockchain: text,
  tokenId: text,
  destinationAddress: text,
  amounts: listOf(anyText),
  nftTokenIds: optional(listOf(anyText)),
  effect: sentByForm,
});
const expectedCallForm = objectOf<Extract<ExpectedTransaction, SentCall>>({
  walletId: text,
  blockchain: text,
  contractAddress: text,
  abiFunctionSignature: optional(anyText),
  abiParameters: optional(callParametersForm),
  amount: optional(anyText),
  effect: sentByForm,
});
const expectedTransactionForm: Form<ExpectedTransaction> = (value, path) =>
  isCall(anyObject(value, path)) ? expectedCallForm(value, path) : expectedTransferForm(value, path);
const tokensForm = objectOf<LoginTokens>({
  userToken: sealed,
  encryptionKey: sealed,
  refreshToken: optional(sealed),
  deviceId: optional(text),
});
export const authForm = variantOf<UserAuth>('method', {
  pin: objectOf<UserAuth & { method: 'pin' }>({ method: keysOf(['pin']), userId: text }),
  login: objectOf<UserAuth & { method: 'login' }>({ method: keysOf(['login']), userId: text, tokens: tokensForm }),
});
const SENT_REQUEST = {
  effect: effectForm,
  call: keyOf(CHALLENGE_CALLS),
  params: optional(objectOf<{ id: string }>({ id: text })),
};
const sentRequestForm = objectOf<SentChallengeRequest>(SENT_REQUEST);
const challengeRequestForm = objectOf<ChallengeRequest>({ ...SENT_REQUEST, body: anyObject });

type Operation<T extends SessionOperation['type']> = Extract<SessionOperation, { type: T }>;
const operation = <T extends SessionOperation['type']>(
  type: T,
  fields: { [K in Exclude<keyof Required<Operation<T>>, 'type'>]: Form<Operation<T>[K]> },
) => objectOf<Operation<T>>({ type: keysOf([type]), ...fields } as never);

const OPERATIONS: { [T in SessionOperation['type']]: Form<SessionOperation> } = {
  openChallenge: operation('openChallenge', { challengeRequest: challengeRequestForm, renewUntil: optional(number) }),
  findChallenge: operation('findChallenge', { sent: sentRequestForm }),
  withdraw: operation('withdraw', { effect: effectForm }),
  awaitChallengeEnd: operation('awaitChallengeEnd', {
    challengeId: text,
    challengeType: anyText,
    opened: optional(sentRequestForm),
    untilReadable: optional(setFlag),
  }),
  releaseChallenge: operation('releaseChallenge', { challengeId: text }),
  refreshChallenge: operation('refreshChallenge', { challengeId: text }),
  refreshUser: operation('refreshUser', {}),
  renewTokens: operation('renewTokens', {}),
  login: operation('login', { tokens: tokensForm }),
  readUser: operation('readUser', {}),
  listWallets: operation('listWallets', {}),
  followTransaction: operation('followTransaction', {
    id: text,
    until: keysOf(FOLLOW_UNTIL),
    expected: expectedTransactionForm,
    untilReadable: optional(setFlag),
  }),
};

export const sessionRequestForm = objectOf<SessionRequest>({
  flow: text,
  firstRunId: text,
  id: text,
  sentAt: number,
  operation: variantOf<SessionOperation>('type', OPERATIONS),
  mayBeSent: optional(setFlag),
  resent: optional(objectOf<NonNullable<SessionRequest['resent']>>({ withdrawn: optional(setFlag) })),
});

const failureForm = objectOf<ApiFailure>({
  code: number,
  name: text,
  status: number,
  endpoint: anyText,
  requestId: optional(anyText),
  kind: keysOf<ErrorKind>(ERROR_KINDS),
  remedy: anyText,
  tainted: flag,
  wasRefused: optional(setFlag),
  runId: optional(text),
});

const RESTRICTION_REASONS = ['pinLocked', 'answersLocked', 'disabled', 'loggedOut', 'otherChallenge'] as const;
const restrictionForm = objectOf<UserRestriction>({ reason: keysOf(RESTRICTION_REASONS), until: optional(number) });
const nullOr =
  <T>(form: Form<T>): Form<T | null> =>
  (value, path) =>
    value === null ? null : form(value, path);

type Message<F extends string> = Extract<SessionMessage, Record<F, unknown>>;

/** The value of a response can be any JSON: the flow that gets it knows its form. Only its size is checked. */
export const sessionMessageForm: Form<SessionMessage> = (value, path) => {
  const message = anyObject<Partial<Message<'id'> & Message<'restriction'>>>(value, path);
  if ('restriction' in message)
    return objectOf<Message<'restriction'>>({ restriction: nullOr(restrictionForm) })(value);
  if ('failure' in message) return objectOf<Message<'failure'>>({ id: text, failure: failureForm })(value);
  const { id, value: response } = objectOf<Message<'value'>>({ id: text, value: json(MAX_RESPONSE_BYTES) })(value);
  return { id, value: response };
};

const originForm = objectOf<NumberedMessage['from']>({ runId: text, number: integer });

export const numberedMessageForm: Form<NumberedMessage> = (value, path) => ({
  ...sessionMessageForm(value, path),
  from: originForm((value as Partial<NumberedMessage>).from, 'from'),
});

type Response = Message<'value'> | Message<'failure'>;

/** A response in the form that flows read. Long texts of a failure are cut, and a value that is too large is a failure. */
export function readableResponse(response: Response): Response {
  if ('failure' in response) {
    const { id, failure } = response;
    const texts = Object.entries(failure).map(([name, value]) => [name, cut(value)] as const);
    return { id, failure: Object.fromEntries(texts) as unknown as ApiFailure };
  }
  const { problem } = readForm(sessionMessageForm, response);
  return problem === undefined ? response : unreadableResponse(response.id, problem);
}

/** The failure that takes the place of a response in a form that flows cannot read. */
export function unreadableResponse(id: string, problem: string): Message<'failure'> {
  const remedy = cut(`look up in the API what the request has done; the response has another form: ${problem}`);
  const failure = { code: 0, name: 'UnreadableResponse', status: 0, endpoint: '', kind: 'resolve', remedy } as const;
  return { id, failure: { ...failure, tainted: true } };
}

function cut<T>(value: T): T {
  return typeof value === 'string' ? (value.slice(0, MAX_TEXT_LENGTH) as T) : value;
}

export const heldEventForm = objectOf<HeldEvent>({
  id: text,
  at: text,
  type: anyText,
  reason: anyText,
  payload: anyValue,
});
export const heldEventIdsForm: Form<readonly string[]> = listOf(text);
/** What a run of the list passes to the next. Entries of an unknown form must not stop the others, or new ones. */
export const heldEventsContentForm = orElse(
  objectOf<HeldEventsContent>({ entries: readableOf(heldEventForm), dropped: orElse(number, 0) }),
  NO_HELD_EVENTS,
);

/** An event of any type. Its data goes to the integrator's endpoint as it is. */
export const flowEventForm: Form<FlowEvent> = objectOf<FlowEvent>({
  id: text,
  type: keysOf(FLOW_EVENT_TYPES) as Form<never>,
  timestamp: time,
  entity: text,
  flow: text,
  ref: text,
  sequence: integer,
  data: ((value, path) => json(MAX_EVENT_BYTES)(anyObject(value, path), path)) as Form<never>,
});

/** An activity checks the token, and the input by the flow's schema. */
export const flowStartForm = objectOf<FlowStart<object>>({
  policy: optional(text),
  by: anyValue,
  input: anyObject,
});

export const sessionStartForm = objectOf<SessionStart>({
  entity: text,
  ref: text,
  auth: authForm,
  carried: anyValue,
});
