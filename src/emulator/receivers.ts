/** What an endpoint outside answered: its status, or why there is none. */
export type Answered = { status: number; error?: undefined } | { status?: undefined; error: string; late: boolean };

/** One call of an endpoint outside. Redirects are not followed. Never rejects. */
export async function callReceiver(
  endpoint: string,
  request: { method: 'HEAD' } | { method: 'POST'; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> },
  { withinMs, closing }: { withinMs: number; closing: AbortSignal },
): Promise<Answered> {
  const late = AbortSignal.timeout(withinMs);
  try {
    const answer = await fetch(endpoint, { ...request, redirect: 'manual', signal: AbortSignal.any([late, closing]) });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    return { error: late.aborted ? `no answer within ${withinMs} ms` : reasonOf(error), late: late.aborted };
  }
}

export function isTaken({ status }: Answered): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}
