import { checkChain, checkEntity, defaultHosts, type Entity } from '../../../src/api/entity';

const TEST_KEY = 'TEST_API_KEY:key-id:canary-secret';
const LIVE_KEY = 'LIVE_API_KEY:key-id:canary-secret';
const EMULATOR_KEY = 'LIVE_API_KEY:emulator:canary-secret';
const LOCAL = { api: 'http://127.0.0.1:4010', attestation: 'http://localhost:4010' };

const testEntity = (change: Partial<Entity> = {}): Entity => ({
  name: 'acme',
  kind: 'test',
  apiKey: TEST_KEY,
  hosts: defaultHosts('test'),
  ...change,
});
const liveEntity = (change: Partial<Entity> = {}): Entity =>
  testEntity({ kind: 'live', apiKey: LIVE_KEY, hosts: defaultHosts('live'), ...change });
/** The configuration of an event endpoint. */
const withEvents = (url: string, secret = `whsec_${'canary-secret/'.repeat(3).replaceAll('-', '+')}aa`) => ({
  events: { url, secret },
});
const LIVE_ALLOWED = { WALLETFLOW_LIVE: 'other, acme' };

describe('checkEntity accepts', () => {
  test.each<[string, Entity, Record<string, string>]>([
    ['a test entity on the public hosts', testEntity(), {}],
    ['a test entity on the emulator', testEntity({ hosts: LOCAL }), {}],
    ['an entity without an attestation host', testEntity({ hosts: { api: 'https://api.circle.com' } }), {}],
    ['an IPv6 loopback', testEntity({ hosts: { api: 'http://[::1]:4010' } }), {}],
    ['test chains with a test key', testEntity({ chains: ['ARB-SEPOLIA', 'SOL-DEVNET'] }), {}],
    ['an entity secret', testEntity({ entitySecret: 'aF'.repeat(32) }), {}],
    ['a live entity that is allowed by name', liveEntity({ chains: ['ARB', 'SOL'] }), LIVE_ALLOWED],
    ['an endpoint for events', testEntity(withEvents('https://backend.example/events?of=acme')), {}],
    ['an endpoint for events on this machine', testEntity(withEvents('http://127.0.0.1:3000/events')), {}],
    [
      'emulator and event endpoint on this machine',
      testEntity({ hosts: LOCAL, ...withEvents('http://localhost:3000/events') }),
      {},
    ],
    ['an emulator live key on the emulator', liveEntity({ apiKey: EMULATOR_KEY, hosts: LOCAL }), {}],
  ])('%s', (_, entity, env) => expect(checkEntity(entity, env)).toEqual([]));
});

describe('checkEntity reports one problem for', () => {
  test.each<[string, Entity, RegExp]>([
    ['a name in capitals', testEntity({ name: 'Acme' }), /^name: .*a-z 0-9 -/],
    ['a name with a slash', testEntity({ name: 'a/b' }), /^name: /],
    ['a long name', testEntity({ name: 'a'.repeat(33) }), /^name: /],
    ['half a key', testEntity({ apiKey: 'TEST_API_KEY:canary-secret' }), /^apiKey: does not have the form/],
    ['another prefix', testEntity({ apiKey: 'DEMO_API_KEY:id:canary-secret' }), /^apiKey: does not have the form/],
    ['a key with a line break', testEntity({ apiKey: `${TEST_KEY}\n` }), /^apiKey: does not have the form/],
    [
      'a live key of a test entity',
      testEntity({ apiKey: EMULATOR_KEY, hosts: LOCAL }),
      /LIVE_API_KEY, but kind is test/,
    ],
    ['a test key of a live entity', liveEntity({ apiKey: TEST_KEY }), /TEST_API_KEY, but kind is live/],
    // The problem names both kinds.
    ['a test key with a mainnet', testEntity({ chains: ['ARB'] }), /^chains: .*ARB .*LIVE_API_KEY.*TEST_API_KEY/],
    ['a live key with a testnet', liveEntity({ chains: ['SOL-DEVNET'] }), /SOL-DEVNET .*TEST_API_KEY.*LIVE_API_KEY/],
    ['an unknown chain', testEntity({ chains: ['DOGE' as 'ETH'] }), /^chains: .*DOGE is not known/],
    ['a short entity secret', testEntity({ entitySecret: 'ab' }), /^entity secret: must be 64 hexadecimal/],
    ['http beyond this machine', testEntity({ hosts: { api: 'http://api.example.com' } }), /^hosts.api: .* not https/],
    ['http events beyond this machine', testEntity(withEvents('http://backend.example')), /^events.url: .* not https/],
    ['an endpoint that is not a URL', testEntity(withEvents('backend.example')), /^events.url: is not a URL/],
    ['an endpoint with another protocol', testEntity(withEvents('ftp://localhost/')), /^events.url: .* not https/],
    [
      'an endpoint with credentials',
      testEntity(withEvents('https://me:canary-secret@backend.example')),
      /^events.url: contains cred/,
    ],
    [
      'events of the emulator that leave this machine',
      testEntity({ hosts: LOCAL, ...withEvents('https://backend.example') }),
      /^events.url: https:\/\/backend.example is not on this machine, but the entity's API is/,
    ],
    [
      'a short secret for events',
      testEntity(withEvents('https://b.example', 'whsec_canary')),
      /^events.secret: is not whsec_/,
    ],
    [
      'a secret for events without its prefix',
      testEntity(withEvents('https://b.example', 'ab'.repeat(32))),
      /^events.secret: is/,
    ],
    ['a host that is not a URL', testEntity({ hosts: { api: 'api.circle.com' } }), /^hosts.api: is not a URL/],
    [
      'a host with a path',
      testEntity({ hosts: { api: 'https://api.circle.com/v1/w3s' } }),
      /^hosts.api: contains more than/,
    ],
    [
      'an http attestation host',
      testEntity({ hosts: { api: 'https://api.circle.com', attestation: 'http://iris.example.com' } }),
      /^hosts.attestation: .* not https/,
    ],
    [
      'hosts of which one is the emulator',
      testEntity({ hosts: { ...LOCAL, attestation: defaultHosts('test').attestation } }),
      /^hosts: one of 127.0.0.1:4010 and iris-api-sandbox.circle.com/,
    ],
    [
      'one host for both',
      testEntity({ hosts: { api: 'https://api.example.com', attestation: 'https://api.example.com' } }),
      /^hosts.attestation: .* is the API host/,
    ],
    [
      'a test entity on the live attestation host',
      testEntity({ hosts: defaultHosts('live') }),
      /serves live entities, but kind is test/,
    ],
    [
      'a live entity on the sandbox attestation host',
      liveEntity({ hosts: defaultHosts('test') }),
      /serves test entities, but kind is live/,
    ],
    [
      'a live entity on a testnet attestation host',
      liveEntity({ hosts: { api: 'https://api.circle.com', attestation: 'https://iris.testnet.example.com' } }),
      /serves test entities, but kind is live/,
    ],
    ['an emulator key beyond this machine', liveEntity({ apiKey: EMULATOR_KEY }), /a key of the emulator/],
    ['a real live key on this machine', liveEntity({ hosts: LOCAL }), /never sent to a loopback host/],
  ])('%s', (_, entity, problem) => expect(checkEntity(entity, LIVE_ALLOWED)).toEqual([expect.stringMatching(problem)]));

  test.each([undefined, '', 'acme2', 'ACME', 'ac me'])(
    'a live entity that is missing in WALLETFLOW_LIVE=%s',
    (names) => {
      expect(checkEntity(liveEntity(), { WALLETFLOW_LIVE: names })).toEqual([
        expect.stringContaining('WALLETFLOW_LIVE=acme'),
      ]);
    },
  );
});

test('every problem is reported at once, and no message contains a key or secret', () => {
  const entity = liveEntity({
    name: 'A!',
    apiKey: TEST_KEY,
    entitySecret: 'canary-secret',
    chains: ['ARB-SEPOLIA', 'ARB'],
    hosts: { api: 'http://user:canary-secret@api.example.com', attestation: 'ftp://canary' },
  });
  const problems = checkEntity(entity, {});
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    'name',
    'apiKey',
    'entity secret',
    'hosts.api',
    'hosts.attestation',
    'chains',
  ]);
  expect(problems.join('\n')).not.toContain('canary-secret');
});

test('checkChain accepts only chains of the right kind, and of the list if there is one', () => {
  expect(checkChain({ kind: 'test' }, 'ARB-SEPOLIA')).toBeUndefined();
  expect(checkChain({ kind: 'test' }, 'ARB')).toMatch(/ARB .*156006/);
  expect(checkChain({ kind: 'test', chains: ['ARB-SEPOLIA'] }, 'ETH-SEPOLIA')).toMatch(/choose one of ARB-SEPOLIA/);
});
