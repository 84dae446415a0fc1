import { connectFlows } from '../client/connectFlows';
import { FlowInputError } from '../client/errors';
import type { FlowSummary } from '../client/listFlows';
import { Duration } from '../config/duration';
import type { FlowStatus } from '../domain/flowStatus';
import { UsageError } from './failure';
import { flowName } from './flowRef';
import type { Terminal } from './terminal';

interface ListOptions {
  flow?: string;
  status?: FlowStatus;
  attention?: boolean;
  since?: string;
  limit?: number;
  pageToken?: string;
  json?: boolean;
}

export async function run(
  { env, out, err }: Terminal,
  { flow, since, limit, pageToken, json, ...options }: ListOptions,
): Promise<void> {
  const filter = {
    ...options,
    ...(flow !== undefined && { flow: flowName(flow, '--flow') }),
    ...(since !== undefined && { since: ago(since) }),
  };
  const flows = await connectFlows({ env });
  try {
    const isPage = limit !== undefined || pageToken !== undefined;
    const page = isPage ? await flows.listPage({ ...filter, limit, pageToken }) : undefined;
    let count = 0;
    for await (const summary of page?.flows ?? flows.list(filter)) {
      count++;
      out(json ? JSON.stringify(summary) : summaryLine(summary));
    }
    const { nextPageToken } = page ?? {};
    if (nextPageToken) err(json ? JSON.stringify({ nextPageToken }) : `Next page: --page-token ${nextPageToken}`);
    else if (count === 0) err('No matching flows. A new flow appears after a few seconds');
  } catch (error) {
    throw error instanceof FlowInputError ? optionError(error) : error;
  } finally {
    await flows.close();
  }
}

/** The problems with the options instead of the fields: `pageToken: …` becomes `--page-token: …`. */
export function optionError({ problems }: FlowInputError): UsageError {
  const lines = problems.map((problem) => {
    const [field = ''] = /^\w+/.exec(problem) ?? [];
    const option = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${option}${problem.slice(field.length)}`;
  });
  return new UsageError(lines.join('\n'));
}

/** The date that is `duration` (`24 hours`) ago. @throws UsageError */
function ago(duration: string): Date {
  const { data, error } = Duration.safeParse(duration);
  if (data !== undefined) return new Date(Date.now() - data);
  throw new UsageError(`--since: ${error.issues[0]?.message}`);
}

/** `transfer/inv-42  attention InsufficientFunds  in gate  started 2026-11-27T10:00:00.000Z` */
export function summaryLine({ flow, ref, status, attention, step, startedAt, endedAt }: FlowSummary): string {
  return [
    `${flow}/${ref}`,
    attention ? `attention ${attention}` : status,
    ...(step && status === 'running' ? [`in ${step}`] : []),
    endedAt ? `at ${endedAt.toISOString()}` : `started ${startedAt.toISOString()}`,
  ].join('  ');
}
