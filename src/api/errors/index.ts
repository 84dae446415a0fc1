/**
 * The error catalogue: every code the API can answer with, its kind and what to do about it.
 *
 * Errors are sorted by code, not by status. `kindOf` is the only place where an answer becomes an `ErrorKind`; the
 * tables under `catalogue/` hold the default kinds, a contract overrides one for its endpoint with `endpointKinds`.
 *
 * 155701–155721 are left out: they are raised inside the client SDKs of browsers and phones (user cancelled, biometrics,
 * network) and never sent by the server.
 */
import type { ErrorKind } from '../../domain/errorKind';
import { AUTH_CONFIGURATION_ERRORS } from './catalogue/authConfiguration';
import { CONTRACT_REPEATS } from './catalogue/contractRepeats';
import { CONTRACT_ERRORS } from './catalogue/contracts';
import { GENERAL_ERRORS } from './catalogue/general';
import { RAMP_ERRORS } from './catalogue/ramp';
import { SCREENING_ERRORS } from './catalogue/screening';
import { SHARED_ERRORS } from './catalogue/shared';
import { SIGNING_ERRORS } from './catalogue/signing';
import { TRANSACTION_ERRORS } from './catalogue/transaction';
import { USER_ERRORS } from './catalogue/user';
import { WALLET_ERRORS } from './catalogue/wallet';
import { WALLET_SET_ERRORS } from './catalogue/walletSet';
import type { ApiErrorEntry } from './entry';

export type { ApiErrorEntry } from './entry';

/** Codes that name one condition, so that the status beside them adds nothing. */
const SPECIFIC = byCode([
  ...RAMP_ERRORS,
  ...USER_ERRORS,
  ...AUTH_CONFIGURATION_ERRORS,
  ...TRANSACTION_ERRORS,
  ...WALLET_ERRORS,
  ...WALLET_SET_ERRORS,
  ...SIGNING_ERRORS,
  ...SHARED_ERRORS,
  ...CONTRACT_ERRORS,
  ...CONTRACT_REPEATS,
  ...SCREENING_ERRORS,
]);

const GENERAL = byCode(GENERAL_ERRORS);

/** Every entry by its code, general ones included. */
export const API_ERRORS: ReadonlyMap<number, ApiErrorEntry> = byCode([...GENERAL.values(), ...SPECIFIC.values()]);

/** The entry of a body code (or, for an answer without one, of its HTTP status). */
export function findError(code: number): ApiErrorEntry | undefined {
  return API_ERRORS.get(code);
}

/** An answer that is not the wanted one, as far as its kind depends on it. */
export interface ErrorAnswer {
  /** HTTP status. */
  readonly status: number;
  /** `code` of the body; left out if there is no body or none in it. */
  readonly code?: number | undefined;
  /** The endpoint's own kinds, by code (an answer without a code: by status). */
  readonly endpointKinds?: Partial<Record<number, ErrorKind>> | undefined;
}

/**
 * The kind of an answer, from what says most to what says least: the endpoint's own rule, a specific code, a status
 * that speaks for itself, a general code. What nobody knows is `refused`: an unknown 4xx is not sent again.
 */
export function kindOf({ status, code, endpointKinds }: ErrorAnswer): ErrorKind {
  const key = code ?? status;
  return endpointKinds?.[key] ?? SPECIFIC.get(key)?.kind ?? kindOfStatus(status) ?? GENERAL.get(key)?.kind ?? 'refused';
}

/** Only a 4xx other than 429 needs its code. A redirect is never followed, so its outcome is as unknown as a 5xx's. */
function kindOfStatus(status: number): ErrorKind | undefined {
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 ? undefined : 'transient';
}

/** Throws at load if two rows have one code: the later would silently hide the earlier. */
function byCode(entries: readonly ApiErrorEntry[]): ReadonlyMap<number, ApiErrorEntry> {
  const map = new Map<number, ApiErrorEntry>();
  for (const entry of entries) {
    if (map.has(entry.code)) throw new Error(`Error code ${entry.code} is in the catalogue twice`);
    map.set(entry.code, entry);
  }
  return map;
}
