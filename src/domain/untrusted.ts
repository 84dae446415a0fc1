/**
 * Why a payload is not believed:
 *
 * - `plain`      it is not encrypted
 * - `forged`     no process with this identity key encrypted it, or it was changed since
 * - `copied`     it was encrypted for another workflow, activity or namespace
 * - `misplaced`  it was encrypted for this workflow, but for another message
 * - `misrouted`  it was encrypted for this message, but a worker of another entity received it
 * - `missing`    there is no payload, or more than one
 */
export type Distrust = 'plain' | 'forged' | 'copied' | 'misplaced' | 'misrouted' | 'missing';

const CAUSES: Record<Distrust, string> = {
  plain: 'it is not encrypted',
  forged: 'it was not encrypted with the keys and the identity key of this key ring',
  copied: 'it was encrypted for another workflow or activity',
  misplaced: 'it was encrypted for another message',
  misrouted: 'it was sent to the workers of another entity',
  missing: 'it has no encrypted content',
};

export function causeOf(distrust: Distrust): string {
  return CAUSES[distrust];
}

const MARK = 'walletflow/untrusted';

/**
 * The value that the codec puts in place of a payload that it does not believe. An encrypted payload cannot pretend to be
 * one: what arrives from outside is an `Envelope`.
 */
export interface Untrusted {
  [MARK]: Distrust;
}

export function untrusted(distrust: Distrust): Untrusted {
  return { [MARK]: distrust };
}

/** Why a decoded value is not believed; undefined if the codec believed it. */
export function distrustOf(value: unknown): Distrust | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, MARK)) return undefined;
  return (value as Untrusted)[MARK];
}
