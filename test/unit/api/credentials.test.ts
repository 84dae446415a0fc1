import { Credential } from '../../../src/api/credentials';

function counted(answers: (() => Promise<string>)[] = []) {
  let fetches = 0;
  const publicKey = new Credential(async () => {
    fetches += 1;
    return { pem: await (answers.shift()?.() ?? `pem ${fetches}`) };
  });
  return { publicKey, fetches: () => fetches };
}

test('callers at the same time share one fetch, later ones its result', async () => {
  const { publicKey, fetches } = counted();
  const keys = await Promise.all([publicKey.get(), publicKey.get(), publicKey.get()]);
  keys.push(await publicKey.get());
  expect(new Set(keys).size).toBe(1);
  expect(fetches()).toBe(1);
});

test('a failed fetch fails all that wait for it; the next caller fetches again', async () => {
  const { publicKey, fetches } = counted([() => Promise.reject(new Error('no'))]);
  const results = await Promise.allSettled([publicKey.get(), publicKey.get()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await publicKey.get()).toEqual({ pem: 'pem 2' });
  expect(fetches()).toBe(2);
});

test('a refusal fetches anew; a second one in a row halts; acceptance starts over', async () => {
  const { publicKey, fetches } = counted();
  expect(publicKey.refused(await publicKey.get())).toBe('renew');
  expect(publicKey.refused(await publicKey.get())).toBe('halt');
  // The probe after the halt: a fresh key again, and still wrong.
  expect(publicKey.refused(await publicKey.get())).toBe('halt');
  publicKey.accepted(await publicKey.get());
  expect(publicKey.refused(await publicKey.get())).toBe('renew');
  expect(fetches()).toBe(4);
});

test('many refusals of one key count as one, however late they come', async () => {
  const { publicKey, fetches } = counted();
  const old = await publicKey.get();
  expect([publicKey.refused(old), publicKey.refused(old)]).toEqual(['renew', 'renew']);
  const fresh = await publicKey.get();
  publicKey.accepted(fresh);
  expect(publicKey.refused(old)).toBe('renew');
  expect(await publicKey.get()).toBe(fresh);
  expect(fetches()).toBe(2);
});
