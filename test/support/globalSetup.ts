import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDevServer } from '../../src/dev/devServer';
import { startEmulator } from '../../src/emulator';
import { buildBundle } from '../../src/temporal/bundle';
import { SUGGESTED_LENGTH } from './history';

/** Starts one Temporal server, one emulator and one workflow bundle for the whole run. Every test opens its own world. */
export default async function globalSetup(): Promise<void> {
  // The server's garbage collector would use a fifth of its time.
  process.env.GOGC ??= '400';
  const [server, emulator, bundle] = await Promise.all([
    startDevServer({
      dynamicConfig: {
        'limit.historyCount.suggestContinueAsNew': String(SUGGESTED_LENGTH),
        // Otherwise a deleted history is there for ten seconds, and for minutes on a busy machine.
        'history.transferProcessorEnsureCloseBeforeDelete': 'false',
        // Otherwise the server reads the search attributes from its database for each request. They never change.
        'system.forceSearchAttributesCacheRefreshOnRead': 'false',
        // Each stack has dozens of task queues. The server would report the metrics of all of them each second until it stops.
        'metrics.breakdownByTaskQueue': 'false',
        'metrics.breakdownByPartition': 'false',
        // Nor does it keep the queues of tests that have ended.
        'matching.maxTaskQueueIdleTime': '"30s"',
      },
      progress: (line) => process.stdout.write(`${line}\n`),
    }),
    startEmulator({ openWorlds: true }),
    mkdtemp(path.join(tmpdir(), 'walletflow-test-')).then((dir) =>
      buildBundle(dir, { workflowsPath: require.resolve('./workflows') }),
    ),
  ]);
  Object.assign(process.env, {
    WALLETFLOW_TEST_TEMPORAL: server.address,
    WALLETFLOW_TEST_EMULATOR_URL: emulator.url,
    WALLETFLOW_TEST_BUNDLE: bundle.codePath,
  });
  globalThis.walletflowTest = {
    stop: async () => {
      await emulator.close();
      await server.stop();
    },
  };
}

declare global {
  var walletflowTest: { stop(): Promise<void> } | undefined;
}
