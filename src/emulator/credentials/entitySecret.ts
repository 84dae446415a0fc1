import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Ciphertexts } from './ciphertexts';
import type { EntityKey } from './entityKey';
import type { RecoveryFiles } from './recoveryFiles';

/** The parts of a world that decrypt ciphertexts. `entityKey` must be ready. */
interface Decryption {
  readonly ciphertexts: Ciphertexts;
  readonly entityKey: EntityKey;
}

/** The parts of a world that the entity secret concerns. */
interface EntityWorld extends Decryption {
  entitySecret: string | undefined;
  readonly recoveryFiles: RecoveryFiles;
  readonly settings: { rotationDue: boolean };
}

/**
 * An entity registers its secret once through the API, then rotates or resets it in the console. Each of these returns a
 * new recovery file; only the latest one is valid.
 */

/** @throws ApiErrorResponse 156015, 156013, 156004 */
export function registerEntitySecret(world: EntityWorld, ciphertext: string): string {
  if (world.entitySecret !== undefined) throw new ApiErrorResponse(156015);
  return replace(world, consumeCiphertext(world, ciphertext));
}

/**
 * Requires the current secret as proof, even if its rotation is due.
 * @throws ApiErrorResponse 156016, 156013, 156004
 */
export function rotateEntitySecret(world: EntityWorld, current: string, next: string): string {
  if (world.entitySecret === undefined) throw new ApiErrorResponse(156016);
  consumeCiphertext(world, current, world.entitySecret);
  return replace(world, consumeCiphertext(world, next));
}

/**
 * Requires the latest recovery file as proof: the secret is lost.
 * @throws ApiErrorResponse 156016, 156018, 156013, 156004
 */
export function resetEntitySecret(world: EntityWorld, recoveryFile: string, next: string): string {
  if (world.entitySecret === undefined) throw new ApiErrorResponse(156016);
  if (!world.recoveryFiles.isValid(recoveryFile)) throw new ApiErrorResponse(156018);
  return replace(world, consumeCiphertext(world, next));
}

/** Sets a secret (hex) without proof, for the control API. */
export function replaceEntitySecret(world: EntityWorld, secret: string): string {
  return replace(world, secret.toLowerCase());
}

/**
 * Decrypts a ciphertext and uses it up.
 * @param expected the secret that it must hold; any secret without it
 * @throws ApiErrorResponse 156013, 156004
 */
export function consumeCiphertext(world: Decryption, ciphertext: string, expected?: string): string {
  const secret = world.ciphertexts.decrypt(ciphertext, world.entityKey);
  if (secret === undefined || secret !== (expected ?? secret)) throw new ApiErrorResponse(156013);
  if (!world.ciphertexts.markUsed(ciphertext)) throw new ApiErrorResponse(156004);
  return secret;
}

function replace(world: EntityWorld, secret: string): string {
  world.entitySecret = secret;
  world.settings.rotationDue = false;
  return world.recoveryFiles.issue();
}
