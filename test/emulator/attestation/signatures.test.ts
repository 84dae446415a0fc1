import { keccak256 } from 'js-sha3';
import { recover, verify } from 'tiny-secp256k1';
import { closeOwnEmulator } from '../../support/emulator';
import { AttestationHost, BASE, ETHEREUM, RECIPIENT } from './support';

/** Verified with libsecp256k1 and js-sha3, which the emulator does not use to sign. */

afterAll(closeOwnEmulator);

const bytes = (hex: string) => Buffer.from(hex.slice('0x'.length), 'hex');
const addressOf = (publicKey: Uint8Array) => keccak256(publicKey.slice(1)).slice(-40);

test('an attestation contains the signatures of two published keys in ascending order of their addresses', async () => {
  const host = await AttestationHost.open();
  const { body: published } = await host.get('/v2/publicKeys');
  expect(published.publicKeys).toHaveLength(3);
  const keys = published.publicKeys.map(({ publicKey, cctpVersion }: { publicKey: string; cctpVersion: number }) => {
    expect(publicKey).toMatch(/^0x04[0-9a-f]{128}$/);
    expect(cctpVersion).toBe(2);
    return bytes(publicKey);
  }) as Buffer[];

  const { txHash } = await host.burn();
  await host.advance(20);
  const [message] = await host.messages({ txHash });
  const hash = Buffer.from(keccak256.arrayBuffer(bytes(message.message)));
  const attestation = bytes(message.attestation);
  expect(attestation).toHaveLength(130);

  const signers = [0, 65].map((at) => {
    const signature = attestation.subarray(at, at + 64);
    const v = attestation[at + 64]!;
    expect([27, 28]).toContain(v);
    const signer = recover(hash, signature, (v - 27) as 0 | 1, false)!;
    expect(verify(hash, signer, signature, true)).toBe(true);
    expect(keys.filter((key) => key.equals(signer))).toHaveLength(1);
    return addressOf(signer);
  });
  expect(signers[0]! < signers[1]!).toBe(true);
});

test('the message has the published layout', async () => {
  const host = await AttestationHost.open();
  const { txHash, nonce } = await host.burn({ hookData: '0xbeef' });
  await host.advance(20);
  const [{ message, decodedMessage }] = await host.messages({ txHash });
  const raw = bytes(message);
  const word = (at: number) => raw.subarray(at, at + 32).toString('hex');
  const body = 148;
  expect(raw).toHaveLength(body + 228 + 2);
  expect([0, 4, 8, 140, 144, body].map((at) => raw.readUInt32BE(at))).toEqual([1, ETHEREUM, BASE, 1000, 1000, 1]);
  expect(`0x${word(12)}`).toBe(nonce);
  expect(word(44).slice(24)).toBe(decodedMessage.sender.slice(2));
  expect(word(76).slice(24)).toBe(decodedMessage.recipient.slice(2));
  expect(word(108)).toBe('0'.repeat(64));
  const decoded = decodedMessage.decodedMessageBody;
  expect(word(body + 4).slice(24)).toBe(decoded.burnToken.slice(2));
  expect(word(body + 36)).toBe(RECIPIENT.slice(2).padStart(64, '0'));
  expect(BigInt(`0x${word(body + 68)}`)).toBe(100_000_000n);
  expect(word(body + 100).slice(24)).toBe(decoded.messageSender.slice(2));
  expect(BigInt(`0x${word(body + 132)}`)).toBe(50_000n);
  expect(BigInt(`0x${word(body + 164)}`)).toBe(10_000n);
  expect(String(BigInt(`0x${word(body + 196)}`))).toBe(decoded.expirationBlock);
  expect(raw.subarray(body + 228).toString('hex')).toBe('beef');
  expect(decodedMessage.messageBody).toBe(`0x${raw.subarray(body).toString('hex')}`);
});
