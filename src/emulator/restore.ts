import { replayControl } from './control';
import { EntityKey, sharedEntityKey } from './credentials/entityKey';
import type { AttestationHosts } from './http/attestationHosts';
import { replayRequest, type RequestContext } from './http/handleRequest';
import type { Input } from './state/inputs';
import type { StateFile } from './state/stateFile';
import type { World } from './world/world';
import type { Worlds } from './worlds';

/** The entity key that the file holds. Without one, a new key, which is saved before its first use. */
export function savedEntityKey(state: StateFile): EntityKey {
  for (const saved of state.lines) {
    if ('entityKey' in saved) return readKey(state, saved.line, saved.entityKey);
  }
  const key = sharedEntityKey();
  key.ready.then(() => state.saveEntityKey(key.privateKeyPem)).catch(() => {});
  return key;
}

function readKey(state: StateFile, line: number, pem: string): EntityKey {
  try {
    return new EntityKey(pem);
  } catch {
    throw state.lineError(line, 'it does not hold a private key');
  }
}

interface ReplayContext extends RequestContext {
  worlds: Worlds;
  hosts: AttestationHosts;
}

/**
 * Recreates the worlds of a file by replaying their inputs, and opens the file for appending. The worlds are paused until
 * `Worlds.resume`.
 * @throws Error if a replayed input gets a response other than the recorded one: this version of the emulator
 * behaves differently
 */
export function restore(state: StateFile, emulator: ReplayContext): void {
  const worlds = new Map<string, World>();
  for (const saved of state.lines) {
    if ('opened' in saved) worlds.set(saved.world, emulator.worlds.reopen(saved.opened));
    if (!('input' in saved)) continue;
    const world = worlds.get(saved.world);
    if (!world) throw state.lineError(saved.line, 'its world was not opened in an earlier line');
    if (!replayInput(emulator, world, saved.input)) {
      throw state.lineError(saved.line, 'this version of walletflow responds differently to this input');
    }
  }
  state.startAppending();
}

/** Returns whether the response is the recorded one. */
function replayInput(emulator: ReplayContext, world: World, input: Input): boolean {
  world.clock.replayTo(input.at);
  if ('request' in input) {
    const { request, opened, answer } = input;
    return world.ciphertexts.replayDecrypted(opened, () => replayRequest(emulator, world, request)) === answer;
  }
  if ('control' in input) {
    const { control, opened, answer } = input;
    return (
      world.ciphertexts.replayDecrypted(opened, () => replayControl(control.name, world, control, emulator)) === answer
    );
  }
  if ('strike' in input) world.faults.strike(input.strike, input.strike.point);
  if ('usedUpKey' in input) world.idempotencyKeys.useUp(input.usedUpKey);
  if ('tried' in input) {
    const { tried, answers } = input;
    if (!world.webhooks.hasAttempt(tried, answers.length)) return false;
    world.clock.atInstant(() => world.webhooks.completeAttempt(tried, answers));
  }
  return true;
}
