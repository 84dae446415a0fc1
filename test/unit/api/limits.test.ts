import { EntityLimits } from '../../../src/api/limits';

const limitsOf = (share = 1) => new EntityLimits('acme', share, { opened: () => {}, closed: () => {} });

test('each endpoint has a bucket of its own', () => {
  const limits = limitsOf();
  expect(limits.bucket('createTransfer')).toBe(limits.bucket('createTransfer'));
  expect(limits.bucket('createTransfer')).not.toBe(limits.bucket('listTransactions'));
  expect(limits.bucket('createTransfer').size).toBe(5);
});

test('all endpoints of the attestation host have one, below what the host blocks for', () => {
  const limits = limitsOf();
  const bucket = limits.bucket('getAttestationMessages');
  expect(limits.bucket('getBurnFees')).toBe(bucket);
  expect(limits.bucket('requestReattestation')).toBe(bucket);
  expect(bucket.size).toBe(25);
  expect(limitsOf(0.2).bucket('getBurnFees').size).toBe(5);
});

test('broken credentials withhold the permits of what needs them, and no others', async () => {
  const limits = limitsOf();
  limits.breaker.tripped('free', { code: 156007, remedy: 'set another' });
  const soon = () => AbortSignal.timeout(50);
  await expect(limits.bucket('listTransactions').take(soon())).rejects.toMatchObject({ name: 'AbortError' });
  (await limits.bucket('getAttestationMessages').take(soon())).release();
});
