import type { ApiFailure } from '../../src/domain/apiFailure';
import { CODES, USER_TOKEN_REFUSALS } from '../../src/domain/codes';
import { REFUSED_AGAIN_MS } from '../../src/domain/retryRules';
import type { LoginTokens } from '../../src/domain/userSession';
import { lift, restrict } from './restrictions';
import { isWaiting, RENEW_TOKENS_AFTER_MS, type SessionState } from './state';

/**
 * Handles a failure that is about the user or the tokens and not about the call.
 * @param tokensVersion the tokens that the call used
 * @returns whether it was one: the call is made again when the user is enabled and the tokens work
 */
export function handleAccessFailure(draft: SessionState, { code }: ApiFailure, tokensVersion: number): boolean {
  if (code === CODES.userDisabled) {
    // The API contradicts itself: calls are refused, and the user is read as enabled.
    if (draft.at < (draft.enabledAt ?? 0) + REFUSED_AGAIN_MS) draft.readDisabledAt = draft.at + REFUSED_AGAIN_MS;
    restrict(draft, { reason: 'disabled' });
    return true;
  }
  if (draft.auth.method !== 'login' || !USER_TOKEN_REFUSALS.has(code)) return false;
  // A renewal or a login may have replaced the tokens in the meantime.
  if (tokensVersion !== draft.tokensVersion) return true;
  const isFresh = draft.at < (draft.tokensRenewedAt ?? 0) + REFUSED_AGAIN_MS;
  if (draft.tokensUnproven || isFresh) restrict(draft, { reason: 'loggedOut' });
  else renewTokens(draft);
  return true;
}

/** The API accepted a call with the current tokens. */
export function proveTokens(draft: SessionState): void {
  delete draft.tokensUnproven;
}

/** Takes over the tokens of a new login. */
export function logIn(draft: SessionState, tokens: LoginTokens): void {
  replaceTokens(draft, tokens);
  delete draft.tokensUnproven;
  delete draft.tokensRenewedAt;
}

/** Begins a renewal, or joins one: a second one with the same refresh token would log the user out. */
export function renewTokens(draft: SessionState): void {
  const { auth, restriction } = draft;
  if (auth.method !== 'login' || draft.renewing || restriction?.reason === 'loggedOut') return;
  const { refreshToken, deviceId } = auth.tokens;
  if (!refreshToken || deviceId === undefined) return restrict(draft, { reason: 'loggedOut' });
  draft.renewing = true;
  draft.renewals += 1;
}

export function finishRenewal(draft: SessionState, tokens: LoginTokens, tokensVersion: number): void {
  delete draft.renewing;
  // The tokens of a login that arrived in the meantime are newer.
  if (tokensVersion !== draft.tokensVersion) return;
  replaceTokens(draft, tokens);
  draft.tokensUnproven = true;
  draft.tokensRenewedAt = draft.at;
}

/** The refresh token is used up, even if the outcome of the renewal is unknown. */
export function failRenewal(draft: SessionState, { code }: ApiFailure, tokensVersion: number): void {
  delete draft.renewing;
  if (tokensVersion === draft.tokensVersion) {
    draft.tokensUnproven = true;
    if (code !== CODES.userDisabled) restrict(draft, { reason: 'loggedOut' });
  }
  if (code === CODES.userDisabled) restrict(draft, { reason: 'disabled' });
}

/**
 * When the tokens have to be renewed because a flow waits, in epoch milliseconds. Tokens that cannot be renewed are used
 * until the API refuses them.
 */
export function renewalDueAt(state: SessionState): number | undefined {
  const { auth, restriction, renewing, tokensReceivedAt } = state;
  if (auth.method !== 'login' || !auth.tokens.refreshToken || auth.tokens.deviceId === undefined) return undefined;
  const isBlocked = renewing || restriction?.reason === 'loggedOut' || restriction?.reason === 'disabled';
  return !isBlocked && isWaiting(state) ? tokensReceivedAt + RENEW_TOKENS_AFTER_MS : undefined;
}

function replaceTokens(draft: SessionState, tokens: LoginTokens): void {
  draft.auth = { method: 'login', userId: draft.auth.userId, tokens };
  draft.tokensReceivedAt = draft.at;
  draft.tokensVersion += 1;
  lift(draft, 'loggedOut');
}
