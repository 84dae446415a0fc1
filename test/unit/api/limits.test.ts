import { EntityLimits } from '../../../src/api/limits';

const limitsOf = (share = 1) => new EntityLimits('acme', share, { opened: () => {}, closed: () => {} });

test('each endpoint has its own bucket', () => {
  const limits = limitsOf();
  expect(limits.bucket('createTransfer')).toBe(limits.bucket('createTransfer'));
  expect(limits.bucket('createTransfer')).not.toBe(limits.bucket('listTransactions'));
  expect(limits.bucket('createTransfer').size).toBe(5);
});

test('the endpoints of the attestation host share one bucket, below the limit at which the host blocks', () => {
  const limits = limitsOf();
  const bucket = limits.bucket('getAttestationMessages');
  expect(limits.bucket('getBurnFees')).toBe(bucket);
  expect(limits.bucket('requestReattestation')).toBe(bucket);
  expect(bucket.size).toBe(25);
  expect(limitsOf(0.2).bucket('getBurnFees').size).toBe(5);
});

test('invalid credentials withhold only the permits of endpoints that need them', async () => {
  const limits = limitsOf();
  limits.breaker.tripped('free', { code: 156007, remedy: 'set another' });
  const timeout = () => AbortSignal.timeout(50);
  await expect(limits.bucket('listTransactions').take(timeout())).rejects.toMatchObject({ name: 'AbortError' });
  (await limits.bucket('getAttestationMessages').take(timeout())).release();
});
