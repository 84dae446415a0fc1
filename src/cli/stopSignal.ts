import { EXIT } from './exitCodes';

/**
 * Resolves when the process is told to stop (SIGTERM, Ctrl-C). Being told again while it still tidies up ends it at once.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false;
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (told) process.exit(EXIT.refused);
        told = true;
        resolve(name);
      });
    }
  });
}
