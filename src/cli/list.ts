import { connectFlows } from '../client/connectFlows';
import type { FlowSummary } from '../client/listFlows';
import { Duration } from '../config/duration';
import { UsageError } from './failure';
import { flowName } from './flowRef';
import type { Terminal } from './terminal';

interface ListOptions {
  flow?: string;
  attention?: boolean;
  since?: string;
  json?: boolean;
}

export async function run(terminal: Terminal, { flow, attention, since, json }: ListOptions): Promise<void> {
  const filter = {
    ...(flow !== undefined && { flow: flowName(flow) }),
    ...(attention && { attention }),
    ...(since !== undefined && { since: ago(since) }),
  };
  const flows = await connectFlows({ env: terminal.env });
  try {
    let count = 0;
    for await (const summary of flows.list(filter)) {
      count++;
      terminal.out(json ? JSON.stringify(summary) : summaryLine(summary));
    }
    if (count === 0) terminal.err('No matching flows. A new flow appears after a few seconds');
  } finally {
    await flows.close();
  }
}

/** The date that is `duration` (`24 hours`) ago. @throws UsageError */
function ago(duration: string): Date {
  const { data, error } = Duration.safeParse(duration);
  if (data !== undefined) return new Date(Date.now() - data);
  throw new UsageError(`--since: ${error.issues[0]?.message}`);
}

/** `transfer/inv-42  attention InsufficientFunds  started 2026-11-27T10:00:00.000Z` */
export function summaryLine({ flow, ref, state, attention, step, startedAt, endedAt }: FlowSummary): string {
  return [
    `${flow}/${ref}`,
    attention ? `attention ${attention}` : state,
    ...(step && state === 'running' ? [`in ${step}`] : []),
    endedAt ? `at ${endedAt.toISOString()}` : `started ${startedAt.toISOString()}`,
  ].join('  ');
}
