import { Credential } from '../../../src/api/credentials';

function countingCredential(responses: (() => Promise<string>)[] = []) {
  let fetches = 0;
  const publicKey = new Credential(async () => {
    fetches += 1;
    return { pem: await (responses.shift()?.() ?? `pem ${fetches}`) };
  });
  return { publicKey, fetches: () => fetches };
}

test('concurrent callers share one fetch, and later callers get its result', async () => {
  const { publicKey, fetches } = countingCredential();
  const keys = await Promise.all([publicKey.get(), publicKey.get(), publicKey.get()]);
  keys.push(await publicKey.get());
  expect(new Set(keys).size).toBe(1);
  expect(fetches()).toBe(1);
});

test('a failed fetch fails every waiting caller, and the next caller fetches again', async () => {
  const { publicKey, fetches } = countingCredential([() => Promise.reject(new Error('no'))]);
  const results = await Promise.allSettled([publicKey.get(), publicKey.get()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await publicKey.get()).toEqual({ pem: 'pem 2' });
  expect(fetches()).toBe(2);
});

test('a first rejection causes another fetch, a second one in a row halts, and a success resets the count', async () => {
  const { publicKey, fetches } = countingCredential();
  expect(publicKey.refused(await publicKey.get())).toBe('renew');
  expect(publicKey.refused(await publicKey.get())).toBe('halt');
  // The probe after the halt gets a new key, which is rejected as well.
  expect(publicKey.refused(await publicKey.get())).toBe('halt');
  publicKey.accepted(await publicKey.get());
  expect(publicKey.refused(await publicKey.get())).toBe('renew');
  expect(fetches()).toBe(4);
});

test('several rejections of one key count once, even if they arrive late', async () => {
  const { publicKey, fetches } = countingCredential();
  const old = await publicKey.get();
  expect([publicKey.refused(old), publicKey.refused(old)]).toEqual(['renew', 'renew']);
  const fresh = await publicKey.get();
  publicKey.accepted(fresh);
  expect(publicKey.refused(old)).toBe('renew');
  expect(await publicKey.get()).toBe(fresh);
  expect(fetches()).toBe(2);
});
