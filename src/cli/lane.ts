import { connectFlows } from '../client/connectFlows';
import { refProblem } from '../domain/flowId';
import { blockerText, type LaneProgress } from '../domain/walletLane';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

export async function run({ env, out, err }: Terminal, { json }: { json?: boolean }, walletId: string): Promise<void> {
  const problem = refProblem(walletId);
  if (problem) throw new UsageError(problem.replace(/^ref:/, 'wallet id:'));
  const flows = await connectFlows({ env });
  try {
    const progress = await flows.lane(walletId).progress();
    if (json) out(JSON.stringify(progress ?? null));
    else if (progress) for (const line of laneLines(progress)) out(line);
    else err('No flow sends from this wallet, or waits to. A lane ends after five minutes without flows');
  } finally {
    await flows.close();
  }
}

/**
 * ```
 * 1 of 1 sends, 2 wait; blocked until the user approves main/transfer/inv-41
 *   … main/transfer/inv-41  approval
 *   1 main/transfer/inv-42
 *   2 main/transfer/inv-43
 * ```
 */
export function laneLines({ capacity, holds, next, waiting, outstanding, blockedBy }: LaneProgress): string[] {
  const isWaiting = waiting === 1 ? '1 waits' : `${waiting} wait`;
  const sends = holds.length === 1 ? 'sends' : 'send';
  const head = `${holds.length} of ${capacity} ${sends}, ${isWaiting}`;
  return [
    blockedBy ? `${head}; blocked ${blockerText(blockedBy)}` : head,
    ...holds.map(({ flow, state, transactionId }) => `  … ${[flow, state, transactionId].filter(Boolean).join('  ')}`),
    ...outstanding.map(({ id, state, flow }) => `  … ${[flow ?? 'another program', state, id].join('  ')}`),
    ...next.map((flow, index) => `  ${index + 1} ${flow}`),
    ...(waiting > next.length ? [`  and ${waiting - next.length} more`] : []),
  ];
}
