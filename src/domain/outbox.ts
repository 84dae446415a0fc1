/** The messages that can be delivered now: those of each flow are delivered one after another. */
export function firstPerFlow<M extends { flow: string }>(outbox: readonly M[]): M[] {
  const flows = new Set<string>();
  return outbox.filter(({ flow }) => !flows.has(flow) && flows.add(flow));
}
