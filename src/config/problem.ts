import type { z } from 'zod';
import { redact } from '../logger/redact';

/** One thing that is wrong with the configuration. No text of it ever repeats a secret. */
export interface Problem {
  /** Variable, or file and field: `WALLETFLOW_LIVE`, `/etc/walletflow/policies.json retail-eu[1].transfer.stuck`. */
  where: string;
  what: string;
  remedy: string;
}

/** The configuration can't be used. Holds every problem that was found, so that one start shows them all. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const lines = problems.map((problem) => `  ${redact(describe(problem))}`);
    super(`The configuration has ${count}:\n${lines.join('\n')}`);
  }
}

/**
 * The issues of a schema as problems. Schemas of configuration files write their messages as `what is wrong; remedy`.
 * @param source the file, named before the field
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

/** The name that was probably meant, or undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  const best = ranked.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(2, name.length / 4) ? best.candidate : undefined;
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

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
