import type { Hex } from 'viem';
import { concat, numberToHex, size, sliceHex } from 'viem/utils';

/**
 * A burn message without its versions. Addresses are 32 bytes. Layout: docs/api-behavior.md#cross-chain-attestations
 */
export interface BurnMessage {
  sourceDomain: number;
  destinationDomain: number;
  nonce: Hex;
  sender: Hex;
  recipient: Hex;
  destinationCaller: Hex;
  minFinalityThreshold: number;
  finalityThresholdExecuted: number;
  burnToken: Hex;
  mintRecipient: Hex;
  /** Base units. */
  amount: bigint;
  messageSender: Hex;
  maxFee: bigint;
  feeExecuted: bigint;
  /** A block height of the destination; 0: never expires. */
  expirationBlock: bigint;
  hookData: Hex;
}

type Field = readonly [name: keyof BurnMessage | 'version' | 'bodyVersion', bytes: 4 | 32];

/** Version number of messages and of message bodies in version 2 of the protocol. */
const VERSION = 1;

const HEADER: readonly Field[] = [
  ['version', 4],
  ['sourceDomain', 4],
  ['destinationDomain', 4],
  ['nonce', 32],
  ['sender', 32],
  ['recipient', 32],
  ['destinationCaller', 32],
  ['minFinalityThreshold', 4],
  ['finalityThresholdExecuted', 4],
];
/** `hookData` follows the last field. */
const BODY: readonly Field[] = [
  ['bodyVersion', 4],
  ['burnToken', 32],
  ['mintRecipient', 32],
  ['amount', 32],
  ['messageSender', 32],
  ['maxFee', 32],
  ['feeExecuted', 32],
  ['expirationBlock', 32],
];
const lengthOf = (fields: readonly Field[]) => fields.reduce((sum, [, bytes]) => sum + bytes, 0);
const BODY_AT = lengthOf(HEADER);
const HOOK_AT = BODY_AT + lengthOf(BODY);
const NUMBERS: ReadonlySet<string> = new Set(['amount', 'maxFee', 'feeExecuted', 'expirationBlock']);

export function encodeMessage(message: BurnMessage): Hex {
  const all = { ...message, version: VERSION, bodyVersion: VERSION };
  const fields = [...HEADER, ...BODY].map(([name, bytes]) => {
    const value = all[name];
    return typeof value === 'string' ? value : numberToHex(value, { size: bytes });
  });
  return concat([...fields, message.hookData]);
}

/** Returns undefined for anything but a version 2 burn message. */
export function decodeMessage(message: Hex): BurnMessage | undefined {
  if (size(message) < HOOK_AT) return undefined;
  const decoded: Record<string, unknown> = {};
  let at = 0;
  for (const [name, bytes] of [...HEADER, ...BODY]) {
    const part = sliceHex(message, at, at + bytes);
    decoded[name] = bytes === 4 ? Number(part) : NUMBERS.has(name) ? BigInt(part) : part.toLowerCase();
    at += bytes;
  }
  const { version, bodyVersion, ...rest } = decoded;
  if (version !== VERSION || bodyVersion !== VERSION) return undefined;
  const hookData: Hex = size(message) === HOOK_AT ? '0x' : sliceHex(message, HOOK_AT);
  return { ...rest, hookData } as BurnMessage;
}

/** The body of a message, which the token messenger reads. */
export function bodyOf(message: Hex): Hex {
  return sliceHex(message, BODY_AT);
}
