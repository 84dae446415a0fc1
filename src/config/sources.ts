import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseApiKey } from '../api/apiKey';
import { isEventSecret } from '../api/eventEndpoint';
import { checkEntitySecret } from '../crypto/entitySecret';
import { parseExactJson } from '../exactJson';
import type { Problem } from './problem';
import type { VariableName } from './variables';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A file that a setting names. */
interface FileName {
  /** Variable, or file and field, for problems. */
  where: string;
  path: string;
  /** Folder that a relative path starts from; default: the working folder. */
  base?: string;
}

/** Reads variables and files and collects their problems, so that all of them can be shown together. */
export class Sources {
  readonly problems: Problem[] = [];

  constructor(private readonly env: Environment) {}

  report(where: string, what: string, remedy: string): undefined {
    this.problems.push({ where, what, remedy });
  }

  /** Value of a variable. An empty value is treated as not set, as in `docker compose` files. */
  variable(name: VariableName): string | undefined {
    return this.env[name]?.trim() || undefined;
  }

  /** Value of a required variable. */
  required(name: VariableName, remedy: string): string | undefined {
    return this.variable(name) ?? this.report(name, 'is not set', remedy);
  }

  /** Content of a file. Problems show the path, unless the path is itself a secret written there by mistake. */
  file({ where, path, base = '.' }: FileName): string | undefined {
    if (parseApiKey(path) || checkEntitySecret(path) === undefined || isEventSecret(path)) {
      return this.report(
        where,
        'holds a secret instead of the path of a file',
        'Put the secret into a file and set the path of the file.',
      );
    }
    try {
      const text = readFileSync(resolve(base, path), 'utf8');
      if (text.trim() !== '') return text;
      return this.report(where, `names ${path}, which is empty`, 'Fill the file, or name a different one.');
    } catch (error) {
      const reason = UNREADABLE[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read';
      return this.report(
        where,
        `names ${resolve(base, path)}, which ${reason}`,
        'Name a file that this process can read.',
      );
    }
  }

  /** Content of a JSON file. Problems leave out the parser's message, because it quotes the file. */
  json(name: FileName): unknown {
    const text = this.file(name);
    if (text === undefined) return undefined;
    const parsed = parseExactJson(text);
    if (typeof parsed !== 'string') return parsed.value;
    return parsed === 'doubledName'
      ? this.report(name.where, `names ${name.path}, which has a name twice in an object`, 'Keep one of the two.')
      : this.report(
          name.where,
          `names ${name.path}, which is not valid JSON`,
          'Correct it; check its commas and quotes.',
        );
  }
}

/** The folder that relative paths in a file start from. */
export function folderOf(path: string): string {
  return dirname(resolve(path));
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'this process may not read',
  EISDIR: 'is a folder',
};
