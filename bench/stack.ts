import { base58 } from '@scure/base';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TransferBody } from '../activities';
import { createApi, createDispatcher, type Entity } from '../src/api';
import { type Flows, openFlows } from '../src/client/openFlows';
import { generateKeyRing, KeyRing, type KeyRingFile } from '../src/crypto/keyRing';
import { generateSealingKeys } from '../src/crypto/sealingKeys';
import { startDevServer } from '../src/dev/devServer';
import type { EmulatorControl } from '../src/emulator';
import type { Issuer } from '../src/identity/issuers';
import { identityVerifier } from '../src/identity/verifier';
import { createLogger } from '../src/logger';
import { createMetrics } from '../src/metrics';
import { loadPolicies } from '../src/policies';
import { buildBundle, loadBundle } from '../src/temporal/bundle';
import type { TemporalTarget } from '../src/temporal/connection';
import { connectWorkers } from '../src/temporal/workerConnection';
import { BUNDLE_DIR, createWorkers, installRuntime } from '../src/worker';
import { startEmulatorProcess } from './emulatorProcess';

/** At this speed a transaction is final after milliseconds, so no wallet's queue fills up. */
const CLOCK_SPEED = 36_000;
/** Addresses that nobody has a key for. */
const DESTINATIONS = {
  'ETH-SEPOLIA': '0x000000000000000000000000000000000000dEaD',
  'SOL-DEVNET': base58.encode(new Uint8Array(32).fill(7)),
} as const;

type BenchChain = keyof typeof DESTINATIONS;

export interface BenchStack {
  temporal: TemporalTarget;
  entity: Required<Pick<Entity, 'entitySecret'>> & Entity;
  keyRing: KeyRingFile;
  flows: Flows;
  /** The entity's world. */
  world: EmulatorControl;
  /** Body of a transfer that can be sent any number of times. */
  body: TransferBody & { walletId: string; tokenId: string; amounts: [string] };
  close(): Promise<void>;
}

export interface BenchStackOptions {
  /** Workflows of the product or of the benchmarks. */
  workflows: 'product' | 'bench';
  /** Share of every limit that the worker uses. May exceed 1 if the emulator enforces no limits. */
  apiShare: number;
  /** Blockchain of the funded wallet; default: Ethereum. */
  blockchain?: BenchChain;
  /** Interval of the entity's sweeps, in milliseconds; default: none. */
  sweepEveryMs?: number;
  /** Issuers that the workers trust; default: none. */
  issuers?: readonly Issuer[];
  print: (line: string) => void;
}

const logger = createLogger({ level: 'error' });

/** Call once per process, before the first stack. */
export function installBenchRuntime(): void {
  installRuntime(logger);
}

/** Starts Temporal and the emulator in their own processes, a worker as in production in this one, and funds a wallet. */
export async function startStack({
  workflows,
  apiShare,
  blockchain,
  sweepEveryMs,
  issuers = [],
  print,
}: BenchStackOptions): Promise<BenchStack> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walletflow-bench-'));
  const [temporal, emulator, bundle] = await Promise.all([
    startDevServer({ progress: print }),
    startEmulatorProcess({ clockSpeed: CLOCK_SPEED }),
    workflows === 'product'
      ? loadBundle(BUNDLE_DIR)
      : buildBundle(folder, { workflowsPath: require.resolve('./workflows') }),
  ]);
  const { url, apiKey, entitySecret, control: world } = emulator;
  const name = `bench-${randomBytes(3).toString('hex')}`;
  const entity = { name, kind: 'test' as const, apiKey, entitySecret, hosts: { api: url }, sweepEveryMs };
  const keyRingFile = generateKeyRing(new Date());
  const keyRing = new KeyRing(keyRingFile);
  const sealingKeys = generateSealingKeys(new Date());
  const dispatcher = createDispatcher({ offline: true });
  const body = await fundedTransfer(createApi(entity, { dispatcher }), world, blockchain);

  const connections = await connectWorkers(temporal);
  const workers = await createWorkers({
    entity,
    connections,
    bundlePath: bundle.codePath,
    keyRing,
    sealingKeys,
    identities: identityVerifier(issuers),
    policies: loadPolicies(undefined),
    logger,
    metrics: createMetrics(),
    dispatcher,
    apiShare,
    // Thousands of flows may have work left.
    shutdownGraceMs: 60_000,
  });
  const running = workers.run();
  // Report the failure immediately: only `close` awaits this promise, and without a worker no flow would end and let the
  // benchmark reach `close`.
  running.catch((error: unknown) => print(`The worker failed: ${String(error)}`));
  const flows = await openFlows({ entity: name, keyRing, sealingKeys, temporal });
  return {
    temporal,
    entity,
    keyRing: keyRingFile,
    flows,
    world,
    body,
    async close() {
      workers.shutdown();
      await running;
      await flows.close();
      await connections.close();
      await dispatcher.close();
      await emulator.stop();
      await temporal.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Creates a wallet with more funds than a benchmark can spend. @returns the body of a transfer from it */
export async function fundedTransfer(
  api: ReturnType<typeof createApi>,
  world: EmulatorControl,
  blockchain: BenchChain = 'ETH-SEPOLIA',
): Promise<BenchStack['body']> {
  const { walletSet } = (await api.createWalletSet({ body: { idempotencyKey: randomUUID(), name: 'bench' } })).data;
  const { wallets } = (
    await api.createWallets({
      body: { idempotencyKey: randomUUID(), walletSetId: walletSet.id, blockchains: [blockchain], accountType: 'EOA' },
    })
  ).data;
  const walletId = wallets[0]!.id;
  const { tokens } = await world.call<{
    tokens: { id: string; blockchain: string; isNative: boolean; symbol?: string }[];
  }>('GET', '/tokens');
  const chainTokens = tokens.filter((token) => token.blockchain === blockchain);
  const native = chainTokens.find(({ isNative }) => isNative)!;
  const usdc = chainTokens.find(({ symbol }) => symbol === 'USDC')!;
  for (const { id: tokenId } of [native, usdc]) {
    await world.call('POST', `/wallets/${walletId}/inbound`, { tokenId, amount: '1000000' });
  }
  await world.advance(60 * 60_000);
  return {
    walletId,
    tokenId: usdc.id,
    destinationAddress: DESTINATIONS[blockchain],
    amounts: ['0.01'],
    feeLevel: 'MEDIUM',
  };
}

/** A transfer with a new ref, from the funded wallet. */
export function transferInput({ walletId, tokenId, destinationAddress: to, amounts }: BenchStack['body']) {
  return { ref: `bench-${randomUUID()}`, from: { walletId }, to, tokenId, amount: amounts[0] };
}
