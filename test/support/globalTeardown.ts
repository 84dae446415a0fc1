import './globalSetup';

export default async function globalTeardown(): Promise<void> {
  await globalThis.walletflowTest?.stop();
}
