import { createLogger } from '../logger';
import { startStack } from './local/stack';
import { checkProfile, removeProfile, writeProfile } from './local/profile';
import { fillWallet, makeWallets } from './local/wallets';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';

export async function run(terminal: Terminal, { clockSpeed }: { clockSpeed: number }): Promise<void> {
  const { out, err, debug } = terminal;
  checkProfile();
  const told = stopSignal();
  const logger = createLogger({ level: debug ? 'debug' : 'warn' });
  const stack = await startStack({ name: 'dev', logger, clockSpeed, ui: true, progress: err });
  try {
    const profile = writeProfile(stack);
    const [from, to] = await makeWallets(stack.entity, 2);
    if (!from || !to) throw new Error('The emulator made fewer wallets than it was asked for');
    const tokenId = await fillWallet(stack.entity, stack.world, from);
    const example = JSON.stringify({ from: { walletId: from.id }, to: to.address, tokenId, amount: '1.50' });

    out(`Temporal  ${stack.temporal.address}${stack.temporal.uiUrl ? `, UI ${stack.temporal.uiUrl}` : ''}`);
    out(`API       ${stack.emulatorUrl} (emulator)`);
    out(`Page      ${stack.emulatorUrl}/emulator`);
    out(`Webhooks  ${stack.gatewayUrl} (gateway)`);
    out(`Health    ${stack.healthUrl}`);
    out('');
    out('In another terminal, in this folder:');
    out(`  . ${profile}`);
    out(`  echo '${example}' | npx walletflow start transfer --ref first --input -`);
    out('  npx walletflow status transfer/first');
    out('');
    out('Ctrl-C ends it.');
    await Promise.race([told, stack.ended]);
  } finally {
    removeProfile();
    await stack.close();
  }
  out('Ended');
}
