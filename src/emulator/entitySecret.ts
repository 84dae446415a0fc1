import { Refusal } from './refusal';
import type { World } from './world';

/**
 * How an entity comes to its secret: registered once over the API, then rotated or reset in the console. Each gives a
 * recovery file, of which the latest counts. The entity's key has to be ready.
 */

/** @throws Refusal 156015, 156013, 156004 */
export function registerEntitySecret(world: World, ciphertext: string): string {
  if (world.entitySecret !== undefined) throw new Refusal(156015);
  return replace(world, spendCiphertext(world, ciphertext));
}

/**
 * Takes the current secret as proof, also when its rotation is due.
 * @throws Refusal 156016, 156013, 156004
 */
export function rotateEntitySecret(world: World, current: string, next: string): string {
  if (world.entitySecret === undefined) throw new Refusal(156016);
  spendCiphertext(world, current, world.entitySecret);
  return replace(world, spendCiphertext(world, next));
}

/**
 * Takes the latest recovery file as proof, where the secret was lost.
 * @throws Refusal 156016, 156018, 156013, 156004
 */
export function resetEntitySecret(world: World, recoveryFile: string, next: string): string {
  if (world.entitySecret === undefined) throw new Refusal(156016);
  if (!world.recoveryFiles.isValid(recoveryFile)) throw new Refusal(156018);
  return replace(world, spendCiphertext(world, next));
}

/** A secret in hex, past all proof: for those who set the scene. */
export function replaceEntitySecret(world: World, secret: string): string {
  return replace(world, secret.toLowerCase());
}

/**
 * The secret in a ciphertext, which is used up by it.
 * @param expected the only one that will do; any, without it
 * @throws Refusal 156013, 156004
 */
export function spendCiphertext(world: World, ciphertext: string, expected?: string): string {
  const secret = world.ciphertexts.open(ciphertext, world.entityKey);
  if (secret === undefined || secret !== (expected ?? secret)) throw new Refusal(156013);
  if (!world.ciphertexts.use(ciphertext)) throw new Refusal(156004);
  return secret;
}

function replace(world: World, secret: string): string {
  world.entitySecret = secret;
  world.settings.rotationDue = false;
  return world.recoveryFiles.issue();
}
