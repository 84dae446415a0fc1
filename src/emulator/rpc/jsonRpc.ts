import { z } from 'zod';

/** JSON-RPC 2.0 (https://www.jsonrpc.org/specification), independent of the methods. */

/** An error of a method. Codes from -32768 to -32000 belong to the protocol; 3 is a reverted call, as nodes report it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    /** For a reverted call: what the contract returned. */
    readonly data?: string,
  ) {
    super(message);
  }
}

export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  /** The server's own: a request that it cannot serve. */
  server: -32000,
  reverted: 3,
} as const;

/** Requests of one batch. */
const MAX_BATCH = 100;

const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

type Id = string | number | null;
type RpcResponse = { jsonrpc: '2.0'; id: Id } & (
  { result: unknown } | { error: { code: number; message: string; data?: string } }
);

/** Runs a method. @throws RpcError */
export type RunMethod = (method: string, params: readonly unknown[]) => unknown;

/** The response to a request or a batch, as JSON; undefined if it contains notifications only, which get none. */
export function answerJsonRpc(text: string, run: RunMethod): RpcResponse | RpcResponse[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failure(null, new RpcError(RPC_CODES.parse, 'The body is not JSON'));
  }
  if (!Array.isArray(body)) return answerOne(body, run);
  if (body.length === 0 || body.length > MAX_BATCH) {
    return failure(null, new RpcError(RPC_CODES.invalidRequest, `A batch must have 1 to ${MAX_BATCH} requests`));
  }
  const responses = body.flatMap((each) => answerOne(each, run) ?? []);
  return responses.length > 0 ? responses : undefined;
}

function answerOne(body: unknown, run: RunMethod): RpcResponse | undefined {
  const { data } = requestSchema.safeParse(body);
  if (!data) return failure(null, new RpcError(RPC_CODES.invalidRequest, 'This is not a JSON-RPC 2.0 request'));
  const { id, method, params } = data;
  try {
    const result = run(method, params);
    return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return id === undefined ? undefined : failure(id, error);
  }
}

export function failure(id: Id, { code, message, data }: RpcError): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
