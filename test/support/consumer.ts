import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, type WorkingFolder } from './documents';

const TSC = path.join(ROOT, 'node_modules/.bin/tsc');

/**
 * Type-checks TypeScript files as a strict project that has installed the package, in one run of the compiler. The package's
 * `exports` lead to the declarations of the build.
 * @param files content by name: `.mts` for an ES module, `.cts` for CommonJS
 * @param skipLibCheck false also checks the declarations of the package, which takes four times as long
 * @returns the errors in the files and in the package, as `<file>(<line>,<column>): error …`
 */
export function errorsIn(
  folder: WorkingFolder,
  files: Readonly<Record<string, string>>,
  { skipLibCheck = true }: { skipLibCheck?: boolean } = {},
): string[] {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder.path, name), content);
  const project = { compilerOptions, files: Object.keys(files) };
  writeFileSync(path.join(folder.path, 'tsconfig.json'), JSON.stringify(project));
  const { stdout } = spawnSync(TSC, ['--pretty', 'false'], { cwd: folder.path, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /^\S.*: error /.test(line) && !line.includes('node_modules/'));
}
