import { checkContract, type CheckResult, isClean } from '../contractCheck';
import { EXIT, type ExitCode } from './exitCodes';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

interface ContractCheckOptions {
  json?: boolean;
}

export async function run({ out }: Terminal, { json }: ContractCheckOptions, folder: string): Promise<ExitCode> {
  const result = check(folder);
  if (json) out(JSON.stringify(result));
  else for (const line of report(result)) out(line);
  return isClean(result) ? EXIT.done : EXIT.refused;
}

/** @throws UsageError */
function check(folder: string): CheckResult {
  try {
    return checkContract(folder);
  } catch (error) {
    throw new UsageError(`folder: ${(error as Error).message}; choose a folder with OpenAPI 3 files`);
  }
}

function report({ differences, stale }: CheckResult): string[] {
  const unexplained = differences.filter(({ reason }) => reason === undefined).length;
  const known = differences.length - unexplained;
  const endpoints = [...new Set(differences.map(({ endpoint }) => endpoint))];
  return [
    ...endpoints.flatMap((endpoint) => [
      endpoint,
      ...differences.filter((row) => row.endpoint === endpoint).map(differenceLine),
    ]),
    ...stale.map(({ pattern, reason }) => `✖ stale: ${pattern} (${reason})`),
    `${differences.length} differences: ${known} known, ${unexplained} unknown · ${stale.length} stale patterns`,
  ];
}

const KIND_TEXTS = {
  missing: 'is only in the documents',
  extra: 'is only in the contract',
  required: 'is required only by the contract',
  optional: 'is required only by the documents',
  open: 'has an enum only in the documents',
  closed: 'has an enum only in the contract',
  type: 'has a different type',
} as const;

/** `  · body blockchains[] ARC is only in the contract: newer than the documents` */
function differenceLine({ part, kind, at, value, reason }: CheckResult['differences'][number]): string {
  const text = [part, at, value, KIND_TEXTS[kind]].filter(Boolean).join(' ');
  return reason === undefined ? `  ✖ ${text}` : `  · ${text}: ${reason}`;
}
