import type { Attention } from '../../src/domain/attention';
import type { Progress } from '../../src/domain/progress';

/** Waits for something that the system does by itself; two minutes at the most unless told otherwise: only a failure waits as long, on the slowest machine, too. */
export async function until(condition: () => Promise<boolean>, what = 'it', longestMs = 120_000): Promise<void> {
  const end = Date.now() + longestMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`After ${longestMs / 1_000} s ${what} has not happened`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What the flow shows a person, as soon as it does. */
export async function attentionOf(flow: { progress(): Promise<Progress> }): Promise<Attention> {
  let attention: Attention | undefined;
  await until(async () => (attention = (await flow.progress()).attention) !== undefined, 'attention');
  return attention!;
}
