import fc from 'fast-check';
import { deriveKey } from '../../../src/emulator/chains/keys';
import { ApiErrorResponse } from '../../../src/emulator/errors/apiErrorResponse';
import { signJsonEvm, signRawEvm } from '../../../src/emulator/signing/evmTransaction';
import { signDelegate, signNear } from '../../../src/emulator/signing/near';
import { signSolana } from '../../../src/emulator/signing/solanaTransaction';
import { typedDataHash } from '../../../src/emulator/signing/typedData';

const signer = { key: deriveKey('seed', 'set', 'evm', 0), blockchain: 'ETH-SEPOLIA' as const };
const solana = deriveKey('seed', 'set', 'solana', 0);
const near = deriveKey('seed', 'set', 'near', 0);

/** Checks that input is rejected with a code. Any other error would be a 500. */
function isRefused(sign: () => unknown): boolean {
  try {
    sign();
    return false;
  } catch (error) {
    return error instanceof ApiErrorResponse;
  }
}

test('random bytes and random JSON are rejected with a code', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, fc.json(), (raw, json) => {
      const base64 = raw.toString('base64');
      const typed = `{"types":{"A":[{"name":"a","type":"A"}]},"primaryType":"A","domain":{"chainId":1},"message":{"a":${json}}}`;
      return [
        () => signRawEvm(signer, raw.toString('hex')),
        () => signRawEvm(signer, `02${raw.toString('hex')}`),
        () => signJsonEvm(signer, json),
        () => signSolana(solana, base64),
        () => signNear(near, base64),
        () => signDelegate(near, base64),
        () => typedDataHash(json, signer.blockchain),
        () => typedDataHash(typed, signer.blockchain),
      ].every(isRefused);
    }),
    { numRuns: 500 },
  );
});

test('lists nested deeper than the stack are rejected with a code', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const typed = `{"types":{"A":[{"name":"a","type":"A[]"}]},"primaryType":"A","domain":{"chainId":1},"message":{"a":${deep}}}`;
  expect(isRefused(() => typedDataHash(typed, signer.blockchain))).toBe(true);
  expect(isRefused(() => signRawEvm(signer, 'c1'.repeat(100_000)))).toBe(true);
});
