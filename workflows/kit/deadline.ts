/** @param deadline milliseconds from now @returns epoch milliseconds; call it when the flow begins */
export function deadlineOf({ deadline }: { deadline?: number }): number | undefined {
  return deadline === undefined ? undefined : Date.now() + deadline;
}
