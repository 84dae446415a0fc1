import { randomUUID } from 'node:crypto';
import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { Chain } from '../chain/support';
import { ciphertext, send, type ApiAnswer } from './support';

afterAll(closeOwnEmulator);

test.each(['reject', 'replay'] as const)(
  '50 parallel transfers with one key: %s (field case SB-01)',
  async (idempotency) => {
    const chain = await Chain.open({ idempotency });
    const wallet = await chain.funded();
    const idempotencyKey = randomUUID();

    const answers = await Promise.all(Array.from({ length: 50 }, () => chain.transfer(wallet, { idempotencyKey })));

    const others = answers.filter(({ status }) => status !== 201);
    expect(others).toHaveLength(49);
    const [accepted] = answers.filter(({ status }) => status === 201);
    for (const answer of others) {
      expect(answer).toMatchObject(
        idempotency === 'reject' ? { status: 403, code: 156020 } : { status: 200, data: accepted!.data },
      );
    }
    const { data } = await chain.get('/transactions?txType=OUTBOUND&pageSize=50');
    expect(data.transactions).toHaveLength(1);
    // Another content under the key is refused in both modes.
    expect(await chain.transfer(wallet, { idempotencyKey, amounts: ['2'] })).toMatchObject({ code: 156020 });
  },
);

interface Flood {
  what: string;
  limit: number;
  request: (world: TestWorld, secret: object) => Promise<ApiAnswer>;
  /** With a ciphertext of its own for each request. */
  secret?: boolean;
}

/** One bucket for a route, whatever its ids; a class of its own for the endpoints that the spec lists. */
const FLOODS: readonly Flood[] = [
  {
    what: 'a POST',
    limit: 5,
    secret: true,
    request: (world, secret) =>
      send(world, 'POST', '/v1/w3s/developer/walletSets', { idempotencyKey: randomUUID(), ...secret }),
  },
  {
    what: 'a GET with another id each time',
    limit: 20,
    request: (world) => send(world, 'GET', `/v1/w3s/transactions/${randomUUID()}`),
  },
  {
    what: 'signing, one of the twelve',
    limit: 10,
    secret: true,
    request: (world, secret) =>
      send(world, 'POST', '/v1/w3s/developer/sign/message', { walletId: randomUUID(), message: 'hello', ...secret }),
  },
  {
    what: 'an estimate, one of the twelve',
    limit: 10,
    request: (world) => send(world, 'POST', '/v1/w3s/transactions/transfer/estimateFee', {}),
  },
];

test.each(FLOODS)('$what: the limit by route (field case SB-07)', async ({ limit, request, secret }) => {
  const world = await openWorld({ limits: false });
  const own = async () => (secret ? { entitySecretCiphertext: await ciphertext(world) } : {});
  const secrets = await Promise.all(Array.from({ length: limit + 1 }, own));
  await world.control.changeSettings({ limits: true });
  const started = performance.now();

  const answers = await Promise.all(secrets.map((proof) => request(world, proof)));

  const limited = answers.flatMap(({ status }, index) => (status === 429 ? [index] : []));
  // On a slow machine the second may be over before the last one is sent.
  if (performance.now() - started < 1_000) expect(limited).toHaveLength(1);
  expect(limited.length).toBeLessThanOrEqual(1);
  await world.control.changeSettings({ limits: false });
  // Nothing was used up: sent again, it is carried out, or refused for what it asks for.
  for (const index of limited) expect((await request(world, secrets[index]!)).body.code).not.toBe(156004);
});
