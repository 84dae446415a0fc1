import { checkChain, checkEntity, defaultHosts, type Entity } from '../../../src/api/entity';

const TEST_KEY = 'TEST_API_KEY:key-id:canary-secret';
const LIVE_KEY = 'LIVE_API_KEY:key-id:canary-secret';
const EMULATOR_KEY = 'LIVE_API_KEY:emulator:canary-secret';
const LOCAL = { api: 'http://127.0.0.1:4010', attestation: 'http://localhost:4010' };

const test_ = (change: Partial<Entity> = {}): Entity => ({
  name: 'acme',
  kind: 'test',
  apiKey: TEST_KEY,
  hosts: defaultHosts('test'),
  ...change,
});
const live = (change: Partial<Entity> = {}): Entity =>
  test_({ kind: 'live', apiKey: LIVE_KEY, hosts: defaultHosts('live'), ...change });
/** An endpoint for events. */
const hears = (url: string, secret = `whsec_${'canary-secret/'.repeat(3).replaceAll('-', '+')}aa`) => ({
  events: { url, secret },
});
const LIVE_ALLOWED = { WALLETFLOW_LIVE: 'other, acme' };

describe('nothing is wrong with', () => {
  test.each<[string, Entity, Record<string, string>]>([
    ['a test entity on the public hosts', test_(), {}],
    ['a test entity on the emulator', test_({ hosts: LOCAL }), {}],
    ['one without an attestation host', test_({ hosts: { api: 'https://api.circle.com' } }), {}],
    ['an IPv6 loopback', test_({ hosts: { api: 'http://[::1]:4010' } }), {}],
    ['test chains with a test key', test_({ chains: ['ARB-SEPOLIA', 'SOL-DEVNET'] }), {}],
    ['an entity secret', test_({ entitySecret: 'aF'.repeat(32) }), {}],
    ['a live entity that is allowed by name', live({ chains: ['ARB', 'SOL'] }), LIVE_ALLOWED],
    ['an endpoint for events', test_(hears('https://backend.example/events?of=acme')), {}],
    ['an endpoint for events beside the worker', test_(hears('http://127.0.0.1:3000/events')), {}],
    ['both on this machine', test_({ hosts: LOCAL, ...hears('http://localhost:3000/events') }), {}],
    ['an emulator live key on the emulator', live({ apiKey: EMULATOR_KEY, hosts: LOCAL }), {}],
  ])('%s', (_, entity, env) => expect(checkEntity(entity, env)).toEqual([]));
});

describe('one thing is wrong with', () => {
  test.each<[string, Entity, RegExp]>([
    ['a name in capitals', test_({ name: 'Acme' }), /^name: .*a-z 0-9 -/],
    ['a name with a slash', test_({ name: 'a/b' }), /^name: /],
    ['a long name', test_({ name: 'a'.repeat(33) }), /^name: /],
    ['half a key', test_({ apiKey: 'TEST_API_KEY:canary-secret' }), /^apiKey: has not the form/],
    ['another prefix', test_({ apiKey: 'DEMO_API_KEY:id:canary-secret' }), /^apiKey: has not the form/],
    ['a key with a line break', test_({ apiKey: `${TEST_KEY}\n` }), /^apiKey: has not the form/],
    ['a live key of a test entity', test_({ apiKey: EMULATOR_KEY, hosts: LOCAL }), /LIVE_API_KEY, but kind is test/],
    ['a test key of a live entity', live({ apiKey: TEST_KEY }), /TEST_API_KEY, but kind is live/],
    // OP-03: both values are named.
    ['a test key with a main network', test_({ chains: ['ARB'] }), /^chains: .*ARB .*LIVE_API_KEY.*TEST_API_KEY/],
    ['a live key with a testnet', live({ chains: ['SOL-DEVNET'] }), /SOL-DEVNET .*TEST_API_KEY.*LIVE_API_KEY/],
    ['a chain nobody knows', test_({ chains: ['DOGE' as 'ETH'] }), /^chains: .*DOGE is not known/],
    ['a short entity secret', test_({ entitySecret: 'ab' }), /^entity secret: 64 hexadecimal/],
    ['http beyond this machine', test_({ hosts: { api: 'http://api.example.com' } }), /^hosts.api: .* not https/],
    ['http events beyond this machine', test_(hears('http://backend.example')), /^events.url: .* not https/],
    ['an endpoint that is no URL', test_(hears('backend.example')), /^events.url: is not a URL/],
    ['an endpoint that is no web address', test_(hears('ftp://localhost/')), /^events.url: .* not https/],
    [
      'an endpoint with credentials',
      test_(hears('https://me:canary-secret@backend.example')),
      /^events.url: holds cred/,
    ],
    [
      'events of the emulator that leave this machine',
      test_({ hosts: LOCAL, ...hears('https://backend.example') }),
      /^events.url: https:\/\/backend.example is not on this machine, but the entity's API is/,
    ],
    ['a short secret for events', test_(hears('https://b.example', 'whsec_canary')), /^events.secret: is not whsec_/],
    ['a secret for events without its mark', test_(hears('https://b.example', 'ab'.repeat(32))), /^events.secret: is/],
    ['a host that is no URL', test_({ hosts: { api: 'api.circle.com' } }), /^hosts.api: is not a URL/],
    ['a host with a path', test_({ hosts: { api: 'https://api.circle.com/v1/w3s' } }), /^hosts.api: holds more than/],
    [
      'an http attestation host',
      test_({ hosts: { api: 'https://api.circle.com', attestation: 'http://iris.example.com' } }),
      /^hosts.attestation: .* not https/,
    ],
    [
      'hosts of which one is the emulator',
      test_({ hosts: { ...LOCAL, attestation: defaultHosts('test').attestation } }),
      /^hosts: one of 127.0.0.1:4010 and iris-api-sandbox.circle.com/,
    ],
    [
      'one host for both',
      test_({ hosts: { api: 'https://api.example.com', attestation: 'https://api.example.com' } }),
      /^hosts.attestation: .* API host too/,
    ],
    [
      'a test entity on the live attestation host',
      test_({ hosts: defaultHosts('live') }),
      /serves live entities, but kind is test/,
    ],
    [
      'a live entity on the sandbox attestation host',
      live({ hosts: defaultHosts('test') }),
      /serves test entities, but kind is live/,
    ],
    [
      'a live entity on a testnet attestation host',
      live({ hosts: { api: 'https://api.circle.com', attestation: 'https://iris.testnet.example.com' } }),
      /serves test entities, but kind is live/,
    ],
    ['an emulator key beyond this machine', live({ apiKey: EMULATOR_KEY }), /a key of the emulator/],
    ['a real live key on this machine', live({ hosts: LOCAL }), /never sent to a loopback host/],
  ])('%s', (_, entity, problem) => expect(checkEntity(entity, LIVE_ALLOWED)).toEqual([expect.stringMatching(problem)]));

  test.each([undefined, '', 'acme2', 'ACME', 'ac me'])(
    'a live entity that WALLETFLOW_LIVE=%s does not name',
    (names) => {
      expect(checkEntity(live(), { WALLETFLOW_LIVE: names })).toEqual([
        expect.stringContaining('WALLETFLOW_LIVE=acme'),
      ]);
    },
  );
});

test('every problem is told at once, and no text holds key or secret', () => {
  const entity = live({
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

test('at the door: a chain is one of the kind, and of the list where there is one', () => {
  expect(checkChain({ kind: 'test' }, 'ARB-SEPOLIA')).toBeUndefined();
  expect(checkChain({ kind: 'test' }, 'ARB')).toMatch(/ARB .*156006/);
  expect(checkChain({ kind: 'test', chains: ['ARB-SEPOLIA'] }, 'ETH-SEPOLIA')).toMatch(/choose one of ARB-SEPOLIA/);
});
