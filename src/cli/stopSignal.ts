import { EXIT } from './exitCodes';

/** Resolves on SIGTERM or Ctrl-C. A second signal during the shutdown exits immediately. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (stopping) process.exit(EXIT.refused);
        stopping = true;
        resolve(name);
      });
    }
  });
}
