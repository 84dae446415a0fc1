/** Runs `task` with a signal that fires when the caller aborts or the timeout expires. */
export async function withDeadline<T>(
  signal: AbortSignal | undefined,
  timeoutMs: number,
  task: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await task(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Waits for a promise that other callers may share. An abort rejects this wait; the shared work continues.
 * @param error creates the error of an aborted wait
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
