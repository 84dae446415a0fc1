import type { FaultAction } from './faults';
import type { Accepted } from './pipeline';
import type { Refusal } from './refusal';

/** What goes over the wire. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The connection breaks before the first byte, or half-way through the body. */
  cut?: 'all' | 'half';
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
/** Seconds: one window of a limit. */
const RETRY_AFTER_S = 1;
const PAGE = '<!doctype html><html><head><title>Gateway</title></head><body><h1>Please wait</h1></body></html>';

export function replyOf({ status, headers, body }: Accepted): Reply {
  if (body === undefined) return { status, headers, body: '' };
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

/** `{ code, message, errors? }` (api-facts 2). */
export function refusalReply({ status, code, message, errors, retryAfterS = RETRY_AFTER_S }: Refusal): Reply {
  return {
    status,
    headers: { ...JSON_TYPE, ...(status === 429 && { 'retry-after': String(retryAfterS) }) },
    body: JSON.stringify({ code, message, errors }),
  };
}

/** What a fault that is no delay makes of a reply; `reply` is undefined where the request was not carried out. */
export function faultReply(action: Exclude<FaultAction, { delayMs: number }>, reply: Reply | undefined): Reply {
  if ('status' in action) {
    const { status, code = status, body = { code, message: 'A fault that was asked for' }, headers } = action;
    return {
      status,
      headers: { ...JSON_TYPE, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    };
  }
  if ('html' in action) return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: PAGE };
  if ('redirect' in action) return { status: 302, headers: { location: action.redirect }, body: '' };
  if (!reply || 'drop' in action) return { status: 0, headers: {}, body: '', cut: 'all' };
  // Nothing has no half: the reply is lost.
  if ('truncate' in action) return { ...reply, cut: reply.body === '' ? 'all' : 'half' };
  return { ...reply, body: reply.body && JSON.stringify(withOtherTypes(JSON.parse(reply.body))) };
}

/** The same structure with other types at its leaves. */
function withOtherTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOtherTypes);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withOtherTypes(part)]));
  }
  return typeof value === 'string' ? value.length : String(value);
}
