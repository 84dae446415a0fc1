import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { redact } from '../logger/redact';

/** One problem of the configuration. Its strings never contain a secret. */
export interface Problem {
  /** Variable, or file and field: `WALLETFLOW_LIVE`, `/etc/walletflow/policies.json retail-eu[1].transfer.stuck`. */
  where: string;
  what: string;
  remedy: string;
}

/** The configuration is invalid. Holds every problem, so one start of the process shows them all. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const lines = problems.map((problem) => `  ${redact(describe(problem))}`);
    super(`The configuration has ${count}:\n${lines.join('\n')}`);
  }
}

/**
 * Converts schema issues to problems. Schemas of configuration files write their messages as `what is wrong; remedy`.
 * @param source the file, with which `where` begins
 */
export function schemaProblems(error: z.ZodError, source: string): Problem[] {
  return error.issues.flatMap((issue) => {
    const where = [source, fieldName(issue.path)].filter(Boolean).join(' ');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        where,
        what: `has the unknown field ${JSON.stringify(key)}`,
        remedy: 'Check its spelling, or remove it.',
      }));
    }
    const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    const [what = message, remedy = 'See docs/configuration.md.'] = message.split(/; (.*)/s);
    return [{ where, what: lowerFirst(what), remedy: upperFirst(remedy) }];
  });
}

/** The known name that was probably meant, or undefined if none is similar. */
export function closestMatch(name: string, known: readonly string[]): string | undefined {
  const candidate = closest(name, known);
  return distance(name, candidate) <= Math.max(2, name.length / 4) ? candidate : undefined;
}

function describe({ where, what, remedy }: Problem): string {
  return `${where}: ${what}. ${remedy}`;
}

/** `['retail-eu', 1, 'transfer']` → `retail-eu[1].transfer` */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  );
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}

function upperFirst(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.:!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
