/**
 * The error catalogue: every code that the API can return, with its kind and remedy.
 *
 * An error's kind is determined by its code rather than its HTTP status
 * (docs/architecture.md#errors-are-sorted-by-code). Only `kindOf` turns a response into an `ErrorKind`. The tables in
 * `catalogue/` hold the default kinds; the contract of an endpoint may override them with `kinds`.
 *
 * 155701–155721 are not in the catalogue. The client SDKs of browsers and phones raise them (user cancelled,
 * biometrics, network); the server never sends them.
 */
import type { ErrorKind } from '../../domain/errorKind';
import { AUTH_CONFIGURATION_ERRORS } from './catalogue/authConfiguration';
import { CONTRACT_DUPLICATES } from './catalogue/contractDuplicates';
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

/** Codes that stand for one specific condition; the HTTP status adds no information. */
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
  ...CONTRACT_DUPLICATES,
  ...SCREENING_ERRORS,
]);

const GENERAL = byCode(GENERAL_ERRORS);

/** All entries by code, including the general ones. */
export const API_ERRORS: ReadonlyMap<number, ApiErrorEntry> = byCode([...GENERAL.values(), ...SPECIFIC.values()]);

/** The entry of a code from the body, or of the HTTP status if the response has no code. */
export function findError(code: number): ApiErrorEntry | undefined {
  return API_ERRORS.get(code);
}

/** The parts of a failed response that its kind depends on. */
export interface ErrorDescriptor {
  /** HTTP status. */
  readonly status: number;
  /** `code` of the body; undefined if there is no body or no code in it. */
  readonly code?: number | undefined;
  /** The endpoint's own kinds, by code, or by status for a response without a code. */
  readonly endpointKinds?: Partial<Record<number, ErrorKind>> | undefined;
}

/**
 * The kind of a failed response, from the most to the least specific source: the endpoint's own kinds, a specific code,
 * an unambiguous status, a general code. An unknown 4xx is `refused` and therefore not sent again.
 */
export function kindOf({ status, code, endpointKinds }: ErrorDescriptor): ErrorKind {
  const key = code ?? status;
  return endpointKinds?.[key] ?? SPECIFIC.get(key)?.kind ?? kindOfStatus(status) ?? GENERAL.get(key)?.kind ?? 'refused';
}

/** Only a 4xx other than 429 needs its code. Redirects are not followed, so their outcome is unknown, as for a 5xx. */
function kindOfStatus(status: number): ErrorKind | undefined {
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 ? undefined : 'transient';
}

/** @throws Error at load if two rows have the same code: the later one would silently hide the earlier one */
function byCode(entries: readonly ApiErrorEntry[]): ReadonlyMap<number, ApiErrorEntry> {
  const map = new Map<number, ApiErrorEntry>();
  for (const entry of entries) {
    if (map.has(entry.code)) throw new Error(`Error code ${entry.code} is in the catalogue twice`);
    map.set(entry.code, entry);
  }
  return map;
}
