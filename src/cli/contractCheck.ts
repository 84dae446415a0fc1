import { checkContract, isSettled, type Settled } from '../contractCheck';
import { EXIT, type ExitCode } from './exitCodes';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

interface ContractCheckOptions {
  json?: boolean;
}

export async function run({ out }: Terminal, { json }: ContractCheckOptions, folder: string): Promise<ExitCode> {
  const settled = check(folder);
  if (json) out(JSON.stringify(settled));
  else for (const line of report(settled)) out(line);
  return isSettled(settled) ? EXIT.done : EXIT.refused;
}

/** @throws UsageError */
function check(folder: string): Settled {
  try {
    return checkContract(folder);
  } catch (error) {
    throw new UsageError(`folder: ${(error as Error).message}; name one with OpenAPI 3 files`);
  }
}

function report({ differences, stale }: Settled): string[] {
  const open = differences.filter(({ reason }) => reason === undefined).length;
  const known = differences.length - open;
  const endpoints = [...new Set(differences.map(({ endpoint }) => endpoint))];
  return [
    ...endpoints.flatMap((endpoint) => [endpoint, ...differences.filter((row) => row.endpoint === endpoint).map(line)]),
    ...stale.map(({ pattern, reason }) => `✖ no longer so: ${pattern} (${reason})`),
    `${differences.length} differences: ${known} known, ${open} not · ${stale.length} known ones are no more`,
  ];
}

const WORDS = {
  missing: 'is only in the documents',
  extra: 'is only in the contract',
  required: 'is required by the contract alone',
  optional: 'is required by the documents alone',
  open: 'has its values listed by the documents alone',
  closed: 'has its values listed by the contract alone',
  type: 'has another type',
} as const;

/** `  · body blockchains[] ARC is only in the contract: newer than the documents` */
function line({ part, kind, at, value, reason }: Settled['differences'][number]): string {
  const what = [part, at, value, WORDS[kind]].filter(Boolean).join(' ');
  return reason === undefined ? `  ✖ ${what}` : `  · ${what}: ${reason}`;
}
