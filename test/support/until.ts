import type { OpenAttention } from '../../src/domain/attention';
import type { Progress } from '../../src/domain/progress';

/**
 * Polls until a condition holds. The default limit of two minutes is far longer than any machine needs, so only a failing
 * test waits that long.
 * @throws Error after `longestMs`, naming `what`
 */
export async function until(condition: () => Promise<boolean>, what = 'it', longestMs = 120_000): Promise<void> {
  const end = Date.now() + longestMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`After ${longestMs / 1_000} s ${what} has not happened`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the flow needs a decision. @returns its attention */
export async function attentionOf(flow: { progress(): Promise<Progress> }): Promise<OpenAttention> {
  let attention: OpenAttention | undefined;
  await until(async () => (attention = (await flow.progress()).attention) !== undefined, 'attention');
  return attention!;
}
