import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '../src/api';
import { refId } from '../src/crypto/effectKeys';
import { KeyRing } from '../src/crypto/keyRing';
import { generateLocalIssuer, mintToken, toIssuer } from '../src/identity/localIssuer';
import { CLI } from './emulatorProcess';
import { forEach } from './forEach';
import { machineLoad } from './machineLoad';
import { processFiles } from './processFiles';
import { signalsOf } from './signals';
import { type BenchStack, installBenchRuntime, startStack, transferInput } from './stack';

const TYPE = 'transactions.outbound';
/** The API waits so long for the response to a webhook. */
const BUDGET_MS = 5_000;
/** Permits hardly limit how fast the flows begin to wait. */
const API_SHARE = 6;
const CHECK_MS = 200;
/** More than the wallet holds: the flow waits for a decision. */
const TOO_MUCH = '2000000';

interface Webhook {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

export interface WebhooksOptions {
  /** Flows, and webhooks of each round. */
  count: number;
  print: (line: string) => void;
}

/**
 * Posts one signed final webhook for each of many running flows to a gateway process at once, and then all of them again,
 * as the API does when a response is lost. A worker handles the signals meanwhile.
 * @returns whether each response was 200 and came in time
 */
export async function benchWebhooks({ count, print }: WebhooksOptions): Promise<boolean> {
  installBenchRuntime();
  const issuer = generateLocalIssuer();
  const stack = await startStack({ workflows: 'product', apiShare: API_SHARE, issuers: [toIssuer(issuer)], print });
  const gateway = await startGatewayProcess(stack);
  try {
    await stack.world.changeSettings({ limits: false });
    const refs = Array.from({ length: count }, () => randomUUID());
    const token = await mintToken(issuer, 'bench');
    await startWaiting(stack, refs, token);
    const webhooks = await signedWebhooks(stack, refs);
    print(`${count} flows wait for a decision`);
    const first = await burst('at once', gateway.url, webhooks, print);
    const again = await burst('the same again', gateway.url, webhooks, print);
    const signals = await signalsOf(stack, refs);
    print(`${mark(signals === count)} ${signals} signals in the histories of ${count} flows`);
    print(`Budget: each response is 200, after at most ${BUDGET_MS / 1_000} s; one signal in each history`);
    return first && again && signals === count;
  } finally {
    await gateway.stop();
    await stack.close();
  }
}

/** Starts transfers that wait for a decision, after the API has refused an estimate to each. */
async function startWaiting({ flows, world, body }: BenchStack, refs: readonly string[], token: string): Promise<void> {
  await forEach(refs, (ref) => flows.transfer.start({ ...transferInput(body), ref, amount: TOO_MUCH }, { token }));
  while ((await world.journal({ operation: 'estimateTransferFee' })).length < refs.length) await sleep(CHECK_MS);
}

/** Lets the emulator sign and send a final state for each flow. */
async function signedWebhooks({ entity, world, keyRing }: BenchStack, refs: readonly string[]): Promise<Webhook[]> {
  const received: Webhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (body.includes(`"${TYPE}"`)) received.push({ body, headers: request.headers });
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await createApi(entity).createSubscription({ body: { endpoint, notificationTypes: [TYPE] } });
    const ring = new KeyRing(keyRing);
    await forEach(refs, (ref) => {
      const effect = { flow: 'transfer', ref, step: 'submit', ordinal: 1 };
      const notification = { id: randomUUID(), refId: refId(entity.name, effect, ring), state: 'COMPLETE' };
      return world.call('POST', '/webhooks', { notificationType: TYPE, notification });
    });
    while (received.length < refs.length) await sleep(CHECK_MS);
    return received;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Posts all webhooks at once. @returns whether each was accepted in time */
async function burst(
  name: string,
  url: string,
  webhooks: readonly Webhook[],
  print: (line: string) => void,
): Promise<boolean> {
  const startedAt = performance.now();
  const responses = await Promise.all(
    webhooks.map(async ({ body, headers }) => {
      const names = ['content-type', 'x-circle-signature', 'x-circle-key-id'];
      const response = await fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: Object.fromEntries(names.map((each) => [each, String(headers[each])])),
      });
      await response.arrayBuffer();
      return { status: response.status, ms: performance.now() - startedAt };
    }),
  );
  const accepted = responses.filter(({ status }) => status === 200).length;
  const times = responses.map(({ ms }) => ms).sort((a, b) => a - b);
  const seconds = (share: number) => (times[Math.ceil(share * times.length) - 1]! / 1_000).toFixed(2);
  const met = accepted === webhooks.length && times.at(-1)! <= BUDGET_MS;
  print(
    `${mark(met)} ${webhooks.length} webhooks ${name}: ${accepted} accepted; half after ${seconds(0.5)} s, ` +
      `95 % after ${seconds(0.95)} s, all after ${seconds(1)} s · load ${machineLoad()}`,
  );
  return met;
}

async function startGatewayProcess(stack: BenchStack): Promise<{ url: string; stop(): Promise<void> }> {
  const files = await processFiles(stack, stack.entity.name);
  const child = spawn(process.execPath, [CLI, 'gateway'], {
    env: { ...files.env, WALLETFLOW_GATEWAY_ADDRESS: '127.0.0.1:0' },
    // It logs each webhook that it could not deliver; the result counts them.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill());
  for await (const line of createInterface(child.stdout)) {
    const origin = /^Gateway ready for .* at (\S+), health/.exec(line)?.[1];
    if (origin === undefined) continue;
    return {
      url: `${origin}/webhooks/${stack.entity.name}`,
      async stop() {
        const exited = once(child, 'exit');
        child.kill();
        await exited;
        await files.remove();
      },
    };
  }
  throw new Error('The gateway did not become ready');
}

function mark(met: boolean): string {
  return met ? '✔' : '✘';
}
