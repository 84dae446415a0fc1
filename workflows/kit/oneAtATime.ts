/**
 * The last call in the queue, until it completes. Each workflow has its own instance of this module and therefore its
 * own queue.
 */
let last: Promise<void> | undefined;

/**
 * Makes local activities run one after another, in the order of their calls. Two that run in parallel may complete in
 * two activations, but a replay may deliver both results in one. The code that waits for them would then continue in a
 * different order, and its commands would not match the history.
 */
export function oneAtATime<A extends Record<keyof A, (...args: never[]) => Promise<unknown>>>(activities: A): A {
  return new Proxy(activities, {
    get(target, name: keyof A & string) {
      const activity = target[name];
      return (...args: Parameters<typeof activity>) => runInTurn(() => activity(...args));
    },
  });
}

function runInTurn<T>(call: () => Promise<T>): Promise<T> {
  const result = last ? last.then(call) : call();
  const done: Promise<void> = result.then(clearIfLast, clearIfLast);
  last = done;
  return result;

  function clearIfLast(): void {
    if (last === done) last = undefined;
  }
}
