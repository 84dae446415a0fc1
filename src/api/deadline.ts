/** Runs `what` with a signal that fires when the caller aborts or the time is over. */
export async function withDeadline<T>(
  signal: AbortSignal | undefined,
  timeoutMs: number,
  what: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await what(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Waits for what others may wait for too: an abort ends this waiting, not the thing.
 * @param error what to reject with then
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, error: () => Error): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(error());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
