import { runControlAgain } from '../control';
import type { OwnHosts } from '../ownHosts';
import { EntityKey, entityKey } from '../entityKey';
import { sendAgain, type ExchangeContext } from '../exchange';
import type { World } from '../world';
import type { Input } from './inputs';
import type { StateFile } from './stateFile';

/** The key that ciphertexts of earlier runs are for; where there was none yet, a new one, kept before anybody sees it. */
export function keptEntityKey(state: StateFile): EntityKey {
  for (const kept of state.kept) {
    if ('entityKey' in kept) return readKey(state, kept.line, kept.entityKey);
  }
  const key = entityKey();
  key.ready.then(() => state.keepEntityKey(key.privateKeyPem)).catch(() => {});
  return key;
}

function readKey(state: StateFile, line: number, pem: string): EntityKey {
  try {
    return new EntityKey(pem);
  } catch {
    throw state.problem(line, 'it holds no private key');
  }
}

/**
 * Makes the worlds of a file again, by what came to them. They stand still until they are released; from here on, what
 * comes is appended. @throws Error when an answer is another one than it was: the file does not go with this build
 */
export function restore(state: StateFile, emulator: ExchangeContext & { hosts: OwnHosts }): void {
  const worlds = new Map<string, World>();
  for (const kept of state.kept) {
    if ('opened' in kept) worlds.set(kept.world, emulator.worlds.reopen(kept.opened));
    if (!('input' in kept)) continue;
    const world = worlds.get(kept.world);
    if (!world) throw state.problem(kept.line, 'its world was not opened before');
    if (!repeat(emulator, world, kept.input)) {
      throw state.problem(kept.line, 'what it holds is answered otherwise by this version of walletflow');
    }
  }
  state.begin();
}

/** Whether the answer was the same. */
function repeat(emulator: ExchangeContext & { hosts: OwnHosts }, world: World, input: Input): boolean {
  world.clock.replayTo(input.at);
  if ('request' in input) {
    const { request, opened, answer } = input;
    return world.ciphertexts.withOpened(opened, () => sendAgain(emulator, world, request)) === answer;
  }
  if ('control' in input) {
    const { control, opened, answer } = input;
    return (
      world.ciphertexts.withOpened(opened, () => runControlAgain(control.name, world, control, emulator)) === answer
    );
  }
  if ('strike' in input) world.faults.strike(input.strike, input.strike.point);
  if ('tried' in input) {
    const { tried, answers } = input;
    if (!world.webhooks.awaits(tried, answers.length)) return false;
    world.clock.moment(() => world.webhooks.end(tried, answers));
  }
  return true;
}
