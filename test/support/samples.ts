import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { OperationId } from '../../src/api/contract';
import type { WebhookTarget } from '../../src/gateway/routes';

export interface AnySample {
  name: string;
  /** Address of the public page that shows this shape. */
  source: string;
  /** What is special about it. */
  shows: string;
  /** Fields that the emulator does not send, or why it never sends the whole sample. */
  unsent?: string[] | string;
}

/** A response in the shape of a published one, with our own values. */
export interface ResponseSample extends AnySample {
  operation: OperationId;
  status: number;
  /** The JSON; absent if the response has no body. */
  body?: unknown;
  /** How the client reports it, if it is not a success. */
  failure?: { code: number; kind: string; outcome: string };
}

/** A webhook in the shape of a published one. */
export interface WebhookSample extends AnySample {
  target: WebhookTarget;
  body: { notificationType: string; notification: object };
}

const FOLDER = path.resolve(__dirname, '../../conformance/samples');

export const WEBHOOK_SAMPLES = read<WebhookSample>('webhooks');
export const RESPONSE_SAMPLES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json') && file !== 'webhooks.json')
  .toSorted()
  .flatMap((file) => read<ResponseSample>(path.basename(file, '.json')));

/** The samples of a file, each named after it: `transactions/transfer.denied`. */
function read<Sample extends AnySample>(area: string): Sample[] {
  const samples = JSON.parse(readFileSync(path.join(FOLDER, `${area}.json`), 'utf8')) as Sample[];
  return samples.map((sample) => ({ ...sample, name: `${area}/${sample.name}` }));
}

/** The JSON without fields that are null, at any depth: how the client reads it. */
export function withoutNulls(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => (value === null ? [] : [[name, withoutNulls(value)]])),
  );
}
