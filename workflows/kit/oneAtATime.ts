/** The call that is the last in line, until it is over. Of this workflow alone: each has modules of its own. */
let last: Promise<void> | undefined;

/**
 * Local activities that run one after the other, in the order of their calls. Two at once end in two activations, but a
 * replay is told of both in one: what waits for them would take turns there, and its commands come in another order than in
 * the history.
 */
export function oneAtATime<A extends Record<keyof A, (...given: never[]) => Promise<unknown>>>(activities: A): A {
  return new Proxy(activities, {
    get(target, name: keyof A & string) {
      const activity = target[name];
      return (...given: Parameters<typeof activity>) => inTurn(() => activity(...given));
    },
  });
}

function inTurn<T>(call: () => Promise<T>): Promise<T> {
  const answer = last ? last.then(call) : call();
  const over: Promise<void> = answer.then(leave, leave);
  last = over;
  return answer;

  function leave(): void {
    if (last === over) last = undefined;
  }
}
