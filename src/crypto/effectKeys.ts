import { base32crockford } from '@scure/base';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EffectRef } from '../domain/effect';
import { FLOW_PATTERN, refProblem } from '../domain/flowId';
import type { IdentityPurpose, KeyRing } from './keyRing';

/**
 * With `FLOW_PATTERN` (32), a ref (120), six digits of ordinal, a MAC (8) and four separators, at most 200 characters.
 */
const STEP_PATTERN = /^[a-z][A-Za-z0-9]{0,29}$/;
const MAX_ORDINAL = 999_999;
const MAC_BYTES = 5;

export const REF_ID_MAX_LENGTH = 200;

const REF_ID_PATTERN = /^([A-Za-z0-9]+)\/([A-Za-z0-9._:-]+)~([A-Za-z0-9]+)\.([1-9]\d{0,5})~([0-9a-z]{8})$/;

/**
 * The API's `idempotencyKey` of an effect, in UUID v4 form. It is the same in every attempt, on every worker, in a
 * replay, after a reset and after a rotation of the key ring, and cannot be guessed without the ring
 * (docs/architecture.md#effects-happen-once).
 * @throws RangeError for names that do not fit into a `refId`
 */
export function idempotencyKey(entity: string, effect: EffectRef, ring: KeyRing): string {
  checkEffect(effect);
  const bytes = mac(entity, effect, ring, 'idempotencyKey').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40; // version 4
  bytes[8] = (bytes[8]! & 0x3f) | 0x80; // variant of RFC 9562
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The API's `refId` of an effect: `<flow>/<ref>~<step>.<ordinal>~<mac>`, such as `transfer/inv-42~submit.1~k3f9a2b1`.
 * It leads from a transaction, a webhook or a list entry back to the flow. The MAC (40 bits, Crockford base32) also
 * covers the entity and prevents the `refId` of a different program from being mistaken for ours.
 * @throws RangeError for names that do not fit
 */
export function refId(entity: string, effect: EffectRef, ring: KeyRing): string {
  checkEffect(effect);
  const { flow, ref, step, ordinal } = effect;
  return `${flow}/${ref}~${step}.${ordinal}~${refMac(entity, effect, ring)}`;
}

/**
 * The effect that a `refId` names, or undefined if it is not ours: it has a different form or entity, or another MAC.
 * Never throws.
 */
export function parseRefId(text: string, entity: string, ring: KeyRing): EffectRef | undefined {
  const [, flow, ref, step, ordinal, givenMac] = REF_ID_PATTERN.exec(text) ?? [];
  if (!flow || !ref || !step || !ordinal || !givenMac) return undefined;
  const effect: EffectRef = { flow, ref, step, ordinal: Number(ordinal) };
  const isOurs = timingSafeEqual(Buffer.from(refMac(entity, effect, ring)), Buffer.from(givenMac));
  return isOurs ? effect : undefined;
}

/** The names come from code and from `start()`, which checks the ref. An invalid name is a bug. */
function checkEffect({ flow, ref, step, ordinal }: EffectRef): void {
  if (!FLOW_PATTERN.test(flow)) throw new RangeError(`flow: "${flow}" does not match ${FLOW_PATTERN.source}`);
  if (!STEP_PATTERN.test(step)) throw new RangeError(`step: "${step}" does not match ${STEP_PATTERN.source}`);
  if (!Number.isInteger(ordinal) || ordinal < 1 || ordinal > MAX_ORDINAL) {
    throw new RangeError(`ordinal: ${ordinal} is not a whole number from 1 to ${MAX_ORDINAL}`);
  }
  const problem = refProblem(ref);
  if (problem) throw new RangeError(problem);
}

function refMac(entity: string, effect: EffectRef, ring: KeyRing): string {
  return base32crockford.encode(mac(entity, effect, ring, 'refId').subarray(0, MAC_BYTES)).toLowerCase();
}

/** HMAC-SHA256 over a JSON array, so that different effects never produce the same bytes. */
function mac(entity: string, { flow, ref, step, ordinal }: EffectRef, ring: KeyRing, purpose: IdentityPurpose): Buffer {
  return createHmac('sha256', ring.identityKey(purpose))
    .update(JSON.stringify([entity, flow, ref, step, ordinal]))
    .digest();
}
