/** The last call in line, until it ends. Each workflow has its own instance of this module, and so its own line. */
let last: Promise<void> | undefined;

/**
 * Makes local activities run one after the other, in the order of their calls. Two that run in parallel may end in two
 * activations, but a replay receives both ends in one. The code that waits for them would then continue in another
 * order, and its commands would not match the history.
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
