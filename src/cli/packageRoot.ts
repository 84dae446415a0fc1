import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root folder of this package, from source and from a build. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
