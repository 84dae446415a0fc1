import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, type Answer } from '../chain/support';
import { Person } from '../users/support';

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
  route: string;
  limit: number;
  /** Makes what the requests need, before anything is counted. */
  prepare: (chain: Chain) => Promise<Prepared>;
  /** What comes of a request that was limited, when it is sent again. */
  again: object;
}
interface Prepared {
  /** The n-th, with ids and keys of its own. */
  request: (n: number) => Promise<Answer>;
  /** Rows that requests leave which are carried out. */
  traces?: () => Promise<unknown[]>;
}

/** One bucket for a route, whatever its ids; a class of its own for the endpoints that the spec lists. */
const FLOODS: readonly Flood[] = [
  {
    route: 'POST /contracts/import',
    limit: 5,
    async prepare(chain) {
      const contract = { blockchain: 'ETH-SEPOLIA' };
      const made = await Promise.all(
        Array.from({ length: 6 }, () => chain.world.control.call<{ address: string }>('POST', '/contracts', contract)),
      );
      const bodies = made.map(({ address }, n) => ({ ...contract, address, name: `c${n}`, ...key() }));
      return {
        request: (n) => chain.send('POST', '/contracts/import', bodies[n]),
        traces: async () => (await chain.get('/contracts?pageSize=50')).data.contracts,
      };
    },
    again: { status: 201 },
  },
  {
    route: 'POST /users/token',
    limit: 10,
    async prepare(chain) {
      await chain.send('POST', '/users', { userId: 'anna1' });
      return { request: () => chain.send('POST', '/users/token', { userId: 'anna1' }) };
    },
    again: { status: 200 },
  },
  {
    route: 'GET /transactions/{id}',
    limit: 20,
    prepare: async (chain) => ({ request: () => chain.get(`/transactions/${randomUUID()}`) }),
    again: { status: 404, code: 156003 },
  },
  {
    route: 'POST /user/sign/message',
    limit: 10,
    async prepare(chain) {
      const person = await Person.initialized(chain, ['ETH-SEPOLIA']);
      const { id: walletId } = (await person.get('/wallets')).data.wallets[0];
      return {
        request: (n) => person.send('POST', '/user/sign/message', { walletId, message: `hello ${n}` }),
        traces: async () => (await person.get('/user/challenges')).data.challenges,
      };
    },
    again: { status: 201 },
  },
  {
    route: 'POST /developer/walletSets',
    limit: 5,
    async prepare(chain) {
      const bodies = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => ({ name: `s${n}`, ...key(), ...(await chain.ciphertext()) })),
      );
      return {
        request: (n) => chain.send('POST', '/developer/walletSets', bodies[n]),
        traces: async () => (await chain.get('/walletSets?pageSize=50')).data.walletSets,
      };
    },
    again: { status: 201 },
  },
];

const key = () => ({ idempotencyKey: randomUUID() });
test.each(FLOODS)('$route: the limit by route (field case SB-07)', async ({ limit, prepare, again }) => {
  const chain = await Chain.open();
  const { request, traces } = await prepare(chain);
  const { control } = chain.world;
  // A second of real time is counted, which a slow machine may need for the requests alone.
  await control.changeSettings({ limits: true });
  const started = performance.now();

  const answers = await Promise.all(Array.from({ length: limit + 1 }, (_, n) => request(n)));

  const limited = answers.flatMap(({ status }, n) => (status === 429 ? [n] : []));
  if (performance.now() - started < 1_000) expect(limited).toHaveLength(1);
  expect(limited.length).toBeLessThanOrEqual(1);
  await control.changeSettings({ limits: false });
  if (traces) expect(await traces()).toHaveLength(limit + 1 - limited.length);
  // Key and ciphertext are as they were: sent again, each is carried out, or refused for what it asks for.
  for (const n of limited) expect(await request(n)).toMatchObject(again);
  if (traces) expect(await traces()).toHaveLength(limit + 1);
});
