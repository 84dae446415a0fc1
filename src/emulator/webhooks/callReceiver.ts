/** The response of a webhook receiver: its status, or why it did not arrive. `late`: it exceeded the time limit. */
export type EndpointResponse =
  { status: number; error?: undefined } | { status?: undefined; error: string; late: boolean };

/** Calls a webhook receiver once. Does not follow redirects and never rejects. */
export async function callReceiver(
  endpoint: string,
  request: { method: 'HEAD' } | { method: 'POST'; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> },
  { withinMs, closing }: { withinMs: number; closing: AbortSignal },
): Promise<EndpointResponse> {
  const timeout = AbortSignal.timeout(withinMs);
  try {
    const response = await fetch(endpoint, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, closing]),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { error: timeout.aborted ? `no response within ${withinMs} ms` : reasonOf(error), late: timeout.aborted };
  }
}

export function isDelivered({ status }: EndpointResponse): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** The useful message is in the cause; the error itself only says `fetch failed`. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}
