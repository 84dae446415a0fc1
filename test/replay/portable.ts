import os from 'node:os';
import type { PayloadCodec } from '@temporalio/common';
import { historyToJSON, JSONToPayload, payloadToJSON, type JSONPayload } from '@temporalio/common/lib/proto-utils';
import type { temporal } from '@temporalio/proto';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const ENCRYPTED = Buffer.from('binary/encrypted').toString('base64');

/**
 * A history as it is kept in the repository: proto JSON with a line for each event, its payloads under another key, and
 * nothing of the machine that it ran on.
 *
 * @throws Error when something of the machine is left
 */
export async function portable(
  history: temporal.api.history.v1.IHistory,
  codecs: { from: PayloadCodec; to: PayloadCodec },
): Promise<string> {
  const { events } = JSON.parse(historyToJSON(history)) as { events: JsonObject[] };
  const lines: string[] = [];
  for (const event of events) lines.push(JSON.stringify(await rewrite(event, codecs)));
  const text = `{"events":[\n${lines.join(',\n')}\n]}\n`;
  refuseTraces(text);
  return text;
}

async function rewrite(value: Json, codecs: { from: PayloadCodec; to: PayloadCodec }): Promise<Json> {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => rewrite(item, codecs)));
  if (isEncrypted(value)) return reencrypt(value, codecs);
  const entries = Object.entries(value).map(async ([name, field]): Promise<[string, Json]> => {
    // Process id and host name.
    if (name === 'identity') return [name, 'recorder'];
    return [name, await rewrite(field, codecs)];
  });
  const rewritten: JsonObject = Object.fromEntries(await Promise.all(entries));
  // The queue of one worker's cache is named after its identity.
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
  const [payload] = await from.decode([JSONToPayload(value as JSONPayload)]);
  const text = withoutStack(Buffer.from(payload!.data ?? []).toString('utf8'));
  refuseTraces(text);
  const [encrypted] = await to.encode([{ ...payload, data: Buffer.from(text) }]);
  return payloadToJSON(encrypted!) as JsonObject;
}

/** The attributes of an encoded failure hold a stack, with the paths of source files. */
function withoutStack(json: string): string {
  if (!json.includes('"stack_trace"')) return json;
  return JSON.stringify({ ...(JSON.parse(json) as JsonObject), stack_trace: '' });
}

function refuseTraces(text: string): void {
  const traces = [`${process.cwd()}/`, `${os.homedir()}/`, `@${os.hostname()}`, '127.0.0.1', 'localhost'];
  for (const trace of traces) {
    const at = text.indexOf(trace);
    if (at < 0) continue;
    const around = text.slice(Math.max(0, at - 100), at + trace.length + 20);
    throw new Error(`The history shows the machine that it was recorded on ("${trace}"): …${around}…`);
  }
}
