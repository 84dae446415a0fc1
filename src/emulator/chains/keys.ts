import { base58 } from '@scure/base';
import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { encodePacked, getCreate2Address, keccak256, toHex } from 'viem/utils';
import type { ChainFamily } from '../../domain/chains';

/** A real key pair and its address on a blockchain. */
export interface AccountKey {
  family: ChainFamily;
  /** secp256k1 scalar (EVM) or ed25519 seed (the others), 32 bytes. */
  privateKey: Uint8Array;
  address: string;
  /** `ed25519:<base58>`, NEAR only. */
  initialPublicKey?: string;
}

/** PKCS#8 header of an ed25519 seed (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Aptos hashes the public key and this scheme byte to the address: a single ed25519 key. */
const APTOS_SINGLE_KEY = Buffer.from([0]);

/** Placeholders for the factory and code of smart-contract wallets. Only the derivation from them is real. */
const SCA_FACTORY = '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3';
const SCA_CODE_HASH = keccak256(toHex('emulated smart contract wallet'));

/**
 * The key at one index of a wallet set: one key for all blockchains of a family. So EVM wallets of a set at the same index
 * share their address. The same seed always gives the same keys.
 */
export function deriveKey(seed: string, walletSetId: string, family: ChainFamily, index: number): AccountKey {
  const privateKey = createHmac('sha256', seed).update(`${walletSetId}/${family}/${index}`).digest();
  if (family === 'evm') return { family, privateKey, address: privateKeyToAddress(toHex(privateKey)) };
  const publicKey = ed25519PublicKey(privateKey);
  switch (family) {
    case 'solana':
      return { family, privateKey, address: base58.encode(publicKey) };
    case 'near':
      return {
        family,
        privateKey,
        address: publicKey.toString('hex'),
        initialPublicKey: `ed25519:${base58.encode(publicKey)}`,
      };
    case 'aptos': {
      const authenticationKey = createHash('sha3-256').update(publicKey).update(APTOS_SINGLE_KEY).digest('hex');
      return { family, privateKey, address: `0x${authenticationKey}` };
    }
  }
}

/** The address of an owner's smart-contract wallet: CREATE2 with a salt from owner and core (EIP-1014). */
export function scaAddress(owner: string, scaCore: string): string {
  const salt = keccak256(encodePacked(['address', 'string'], [owner as Hex, scaCore]));
  return getCreate2Address({ from: SCA_FACTORY, salt, bytecodeHash: SCA_CODE_HASH });
}

/** @param seed 32 bytes */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** @returns 32 bytes */
export function ed25519PublicKey(seed: Uint8Array): Buffer {
  const { x = '' } = createPublicKey(ed25519PrivateKey(seed)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}
