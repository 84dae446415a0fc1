import path from 'node:path';
import { buildBundle } from '../src/temporal/bundle';

/** The last step of `npm run build`. Runs as dist/scripts/buildBundle.js and writes the workflow bundle to dist/. */
async function main(): Promise<void> {
  await buildBundle(path.resolve(__dirname, '..'), { workflowsPath: require.resolve('../workflows') });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
