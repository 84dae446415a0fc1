import type { PayloadCodec } from '@temporalio/common';
import { historyToJSON, type JSONPayload, JSONToPayload, payloadToJSON } from '@temporalio/common/lib/proto-utils';
import type { temporal } from '@temporalio/proto';
import os from 'node:os';
import { placeOf } from '../../src/crypto/payloadCodec';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const ENCRYPTED = Buffer.from('binary/encrypted').toString('base64');

/**
 * Converts a history to the form that the repository keeps: proto JSON with one line for each event, payloads encrypted under
 * the repository's key ring, and no trace of the machine that recorded it.
 *
 * @throws Error when a trace of the machine is left
 */
export async function portable(
  history: temporal.api.history.v1.IHistory,
  codecs: { from: PayloadCodec; to: PayloadCodec },
): Promise<string> {
  const { events } = JSON.parse(historyToJSON(history)) as { events: JsonObject[] };
  const lines: string[] = [];
  for (const event of events) lines.push(JSON.stringify(await rewrite(event, codecs)));
  const text = `{"events":[\n${lines.join(',\n')}\n]}\n`;
  assertNoTraces(text);
  return text;
}

async function rewrite(value: Json, codecs: { from: PayloadCodec; to: PayloadCodec }): Promise<Json> {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => rewrite(item, codecs)));
  if (isEncrypted(value)) return reencrypt(value, codecs);
  const entries = Object.entries(value).map(async ([name, field]): Promise<[string, Json]> => {
    // Holds process id and host name.
    if (name === 'identity') return [name, 'recorder'];
    return [name, await rewrite(field, codecs)];
  });
  const rewritten: JsonObject = Object.fromEntries(await Promise.all(entries));
  // The name of a sticky queue contains the worker's identity.
  return value.kind === 'TASK_QUEUE_KIND_STICKY' ? { ...rewritten, name: 'sticky' } : rewritten;
}

function isEncrypted(value: JsonObject): boolean {
  const { metadata } = value;
  return (
    typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) && metadata.encoding === ENCRYPTED
  );
}

async function reencrypt(
  value: JsonObject,
  { from, to }: { from: PayloadCodec; to: PayloadCodec },
): Promise<JsonObject> {
  const read = JSONToPayload(value as JSONPayload);
  // A payload is bound to its place, which does not change.
  const place = placeOf(read);
  const [payload] = await from.decode([read], place);
  const text = withoutStack(Buffer.from(payload!.data ?? []).toString('utf8'));
  assertNoTraces(text);
  const [encrypted] = await to.encode([{ ...payload, data: Buffer.from(text) }], place);
  return payloadToJSON(encrypted!) as JsonObject;
}

/** The attributes of an encoded failure contain a stack with paths of source files. */
function withoutStack(json: string): string {
  if (!json.includes('"stack_trace"')) return json;
  return JSON.stringify({ ...(JSON.parse(json) as JsonObject), stack_trace: '' });
}

function assertNoTraces(text: string): void {
  const traces = [`${process.cwd()}/`, `${os.homedir()}/`, `@${os.hostname()}`, '127.0.0.1', 'localhost'];
  for (const trace of traces) {
    const at = text.indexOf(trace);
    if (at < 0) continue;
    const around = text.slice(Math.max(0, at - 100), at + trace.length + 20);
    throw new Error(`The history shows the machine that it was recorded on ("${trace}"): …${around}…`);
  }
}
