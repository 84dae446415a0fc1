import { eventUrlProblem } from '../api/eventEndpoint';
import { createLogger } from '../logger';
import { UsageError } from './failure';
import { checkProfile, EVENTS_SECRET_FILE, removeProfile, writeProfile } from './local/profile';
import { startStack } from './local/stack';
import { fundWallet, makeWallets } from './local/wallets';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';

/** Any URL of this machine: only the host matters for the check of `--events`. */
const EMULATOR = 'http://127.0.0.1';

interface DevOptions {
  clockSpeed: number;
  /** URL of the backend's endpoint. */
  events?: string;
}

export async function run(terminal: Terminal, { clockSpeed, events }: DevOptions): Promise<void> {
  const { out, err, debug } = terminal;
  const problem = events === undefined ? undefined : eventUrlProblem(events, EMULATOR);
  if (problem) throw new UsageError(`--events: ${problem}`);
  checkProfile();
  const stopRequested = stopSignal();
  const logger = createLogger({ level: debug ? 'debug' : 'warn' });
  const stack = await startStack({ name: 'dev', logger, clockSpeed, eventsUrl: events, ui: true, progress: err });
  try {
    const profile = writeProfile(stack);
    const [from, to] = await makeWallets(stack.entity, 2);
    if (!from || !to) throw new Error('The emulator created fewer wallets than requested');
    const tokenId = await fundWallet(stack.entity, stack.world, from);
    const example = JSON.stringify({ from: { walletId: from.id }, to: to.address, tokenId, amount: '1.50' });

    out(`Temporal  ${stack.temporal.address}${stack.temporal.uiUrl ? `, UI ${stack.temporal.uiUrl}` : ''}`);
    out(`API       ${stack.emulatorUrl} (emulator)`);
    out(`Page      ${stack.emulatorUrl}/emulator`);
    out(`Webhooks  ${stack.gatewayUrl} (gateway)`);
    out(`Health    ${stack.healthUrl}`);
    if (events !== undefined) out(`Events    to ${events}, signed with the secret in ${EVENTS_SECRET_FILE}`);
    out('');
    out('In another terminal, in this folder:');
    out(`  . ${profile}`);
    out(`  echo '${example}' | npx walletflow start transfer --ref first --input -`);
    out('  npx walletflow status transfer/first');
    out('');
    out('Press Ctrl-C to stop.');
    await Promise.race([stopRequested, stack.ended]);
  } finally {
    removeProfile();
    await stack.close();
  }
  out('Stopped');
}
