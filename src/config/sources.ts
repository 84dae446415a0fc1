import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseApiKey } from '../api/apiKey';
import { isEventSecret } from '../api/eventEndpoint';
import { checkEntitySecret } from '../crypto/entitySecret';
import type { Problem } from './problem';
import type { VariableName } from './variables';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A file that holds a setting: what it is called in problems, and how to write its name. */
interface FileName {
  /** Variable, or file and field. */
  where: string;
  path: string;
  /** Folder that a relative path starts from. */
  base?: string;
}

/** Reads variables and files and collects what is wrong with them, so that all of it can be shown at once. */
export class Sources {
  readonly problems: Problem[] = [];

  constructor(private readonly env: Environment) {}

  report(where: string, what: string, remedy: string): undefined {
    this.problems.push({ where, what, remedy });
  }

  /** Value of a variable. An empty one counts as not set, as in `docker compose` files. */
  variable(name: VariableName): string | undefined {
    return this.env[name]?.trim() || undefined;
  }

  /** Value of a variable that has to be there. */
  required(name: VariableName, remedy: string): string | undefined {
    return this.variable(name) ?? this.report(name, 'is not set', remedy);
  }

  /** Content of a file. Problems name the path, unless somebody wrote the secret itself in its place. */
  file({ where, path, base = '.' }: FileName): string | undefined {
    if (parseApiKey(path) || checkEntitySecret(path) === undefined || isEventSecret(path)) {
      return this.report(
        where,
        'holds a secret where the path of a file belongs',
        'Put the secret into a file and name that.',
      );
    }
    try {
      const text = readFileSync(resolve(base, path), 'utf8');
      if (text.trim() !== '') return text;
      return this.report(where, `names ${path}, which is empty`, 'Write its content, or name another file.');
    } catch (error) {
      const reason = UNREADABLE[(error as NodeJS.ErrnoException).code ?? ''] ?? 'can not be read';
      return this.report(
        where,
        `names ${resolve(base, path)}, which ${reason}`,
        'Name a file that this process can read.',
      );
    }
  }

  /** Content of a file that holds JSON. The parser's own message is not shown: it quotes the file. */
  json(name: FileName): unknown {
    const text = this.file(name);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return this.report(
        name.where,
        `names ${name.path}, which is not JSON`,
        'Correct it; commas and quotes are the usual cause.',
      );
    }
  }
}

/** The folder that paths within a file start from. */
export function folderOf(path: string): string {
  return dirname(resolve(path));
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'this process may not read',
  EISDIR: 'is a folder',
};
