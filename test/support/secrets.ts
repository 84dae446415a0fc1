import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { createHash } from 'node:crypto';
import type { KeyRing } from '../../src/crypto/keyRing';
import { EncryptingCodec, placeOf } from '../../src/crypto/payloadCodec';
import type { Envelope } from '../../src/domain/envelope';
import { causeOf, distrustOf } from '../../src/domain/untrusted';

/** The stored bytes of a flow's history, as text. */
export async function rawHistory(client: Client, workflowId: string): Promise<string> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  return Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1');
}

/** All payloads of a flow's history as text, decrypted with the key ring. */
export async function decryptedHistory(client: Client, workflowId: string, ring: KeyRing): Promise<string> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const codec = new EncryptingCodec(ring);
  // Search attributes are not encrypted.
  const payloads = await Promise.all(
    payloadsOf(history).map(async (payload) => (placeOf(payload) ? decrypted(payload, codec) : payload)),
  );
  return payloads.map(({ data }) => Buffer.from(data ?? []).toString('latin1')).join('\n');
}

/** The arguments of a message, decrypted with the key ring. */
export async function decryptedArguments([payload]: Payload[], ring: KeyRing): Promise<unknown[]> {
  const message = await decrypted(payload!, new EncryptingCodec(ring));
  return defaultPayloadConverter.fromPayload<Envelope>(message).args.flat();
}

/**
 * Decrypts a payload at the place that it names.
 * @throws Error if it was not encrypted with this codec
 */
export async function decrypted(payload: Payload, codec: PayloadCodec): Promise<Payload> {
  const [result] = await codec.decode([payload], placeOf(payload));
  const distrust = distrustOf(defaultPayloadConverter.fromPayload(result!));
  if (distrust) throw new Error(`A payload cannot be decrypted: ${causeOf(distrust)}`);
  return result!;
}

/** All payloads in a message of Temporal, such as a history. */
export function payloadsOf(value: unknown): temporal.api.common.v1.IPayload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) {
    return [value as temporal.api.common.v1.IPayload];
  }
  return Object.values(value).flatMap(payloadsOf);
}

/**
 * The canaries that a text contains: plain, escaped as JSON, in base64 or in hex. Runs of base64 are decoded and searched.
 * @param digests hex SHA-256 of base64 ciphertexts, as in the emulator's journal; a match is reported as `a ciphertext`
 */
export function canariesIn(
  text: string,
  canaries: readonly string[],
  digests: ReadonlySet<string> = new Set(),
): string[] {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([run]) =>
    Buffer.from(run, 'base64').toString('latin1'),
  );
  const everything = [text, ...decoded].join('\n');
  const found = canaries.filter((canary) => formsOf(canary).some((form) => everything.includes(form)));
  const ciphertexts = [...text.matchAll(/[A-Za-z0-9+/]{300,}={0,2}/g)].filter(([run]) =>
    digests.has(createHash('sha256').update(run).digest('hex')),
  );
  return [...found, ...ciphertexts.map(() => 'a ciphertext')];
}

function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  return [
    canary,
    JSON.stringify(canary).slice(1, -1),
    bytes.toString('latin1'),
    bytes.toString('base64'),
    bytes.toString('hex'),
  ];
}
