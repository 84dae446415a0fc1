/**
 * When a deadline that an input gives is over, epoch milliseconds. Taken where the flow begins: the same in every replay.
 */
export function deadlineOf({ deadline }: { deadline?: number }): number | undefined {
  return deadline === undefined ? undefined : Date.now() + deadline;
}
