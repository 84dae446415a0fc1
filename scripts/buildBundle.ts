import path from 'node:path';
import { buildBundle } from '../src/temporal/bundle';

/** Last step of `npm run build`: runs as dist/scripts/buildBundle.js and leaves the bundle in dist/. */
async function main(): Promise<void> {
  await buildBundle(path.resolve(__dirname, '..'), { workflowsPath: require.resolve('../workflows') });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
