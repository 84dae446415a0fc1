import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationError, loadConfig, type Role } from '../../src/config';
import { variablesTable } from '../../src/config/variables';
import { generateKeyRing } from '../../src/crypto/keyRing';
import { generateSealingKeys, publicOnly } from '../../src/crypto/sealingKeys';

const NOW = new Date('2026-11-27T00:00:00Z');
const API_KEY = 'TEST_API_KEY:0123abcd:fedcba98';
const LIVE_KEY = 'LIVE_API_KEY:0123abcd:fedcba98';
const SECRET = 'ab'.repeat(32);
const EVENT_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const SEALING_KEYS = generateSealingKeys(NOW);
const DOCUMENT = resolve(__dirname, '../../docs/configuration.md');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'walletflow-config-'));
  write('keys/main.key', `${API_KEY}\n`);
  write('keys/main.secret', SECRET);
  write('keys/live.key', LIVE_KEY);
  write('key-ring.json', generateKeyRing(NOW));
  write('sealing-keys.json', SEALING_KEYS);
  write('entities.json', {
    main: { kind: 'test', apiKeyFile: 'keys/main.key', entitySecretFile: 'keys/main.secret', chains: ['ETH-SEPOLIA'] },
  });
});

afterEach(() => rmSync(folder, { recursive: true }));

/** @returns the path */
function write(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function environment(overrides: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  return {
    PATH: '/usr/bin',
    WALLETFLOW_ENTITIES_FILE: join(folder, 'entities.json'),
    WALLETFLOW_KEY_RING_FILE: join(folder, 'key-ring.json'),
    WALLETFLOW_SEALING_KEYS_FILE: join(folder, 'sealing-keys.json'),
    ...overrides,
  };
}

/** Each problem as `where: what. remedy`, with paths relative to the folder. */
function problems(overrides: Record<string, string | undefined> = {}, role: Role = 'worker'): string[] {
  try {
    loadConfig(environment(overrides), { role: role as 'worker' });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const secret of [API_KEY, LIVE_KEY, SECRET, EVENT_SECRET, SEALING_KEYS.keys['2026-11']!.privateKey!]) {
      expect(error.message).not.toContain(secret);
    }
    return error.message.replaceAll(`${folder}/`, '').split('\n  ').slice(1);
  }
  return [];
}

describe('a worker', () => {
  test('gets entities with their secrets, keys and defaults', () => {
    const config = loadConfig(environment(), { role: 'worker' });
    expect(config).toMatchObject({
      entities: [
        {
          name: 'main',
          kind: 'test',
          apiKey: API_KEY,
          entitySecret: SECRET,
          hosts: { api: 'https://api.circle.com', attestation: 'https://iris-api-sandbox.circle.com' },
          chains: ['ETH-SEPOLIA'],
        },
      ],
      sealingKeys: SEALING_KEYS,
      apiShare: 1,
      healthAddress: { host: '127.0.0.1', port: 9464 },
      shutdownGraceMs: 30_000,
      logLevel: 'info',
    });
    expect(config.keyRing.currentId).toBe('2026-11');
    expect(config.policies.names()).toEqual(['default']);
  });

  test('gets the values that are set', () => {
    write('policies.json', { 'retail-eu': [{ version: 1, transfer: { feeLevel: 'LOW', stuck: 'ask' } }] });
    const config = loadConfig(
      environment({
        WALLETFLOW_POLICIES_FILE: join(folder, 'policies.json'),
        WALLETFLOW_API_SHARE: '.5',
        WALLETFLOW_HEALTH_ADDRESS: '[::1]:0',
        WALLETFLOW_SHUTDOWN_GRACE: '2 minutes',
        WALLETFLOW_LOG_LEVEL: 'debug',
      }),
      { role: 'worker' },
    );
    expect(config).toMatchObject({
      apiShare: 0.5,
      healthAddress: { host: '::1', port: 0 },
      shutdownGraceMs: 120_000,
      logLevel: 'debug',
    });
    expect(config.policies.names()).toEqual(['default', 'retail-eu']);
  });

  test('an empty variable counts as not set', () => {
    expect(loadConfig(environment({ WALLETFLOW_LOG_LEVEL: '' }), { role: 'worker' }).logLevel).toBe('info');
  });

  test('gets the endpoint that receives the events of an entity', () => {
    write('keys/main.events', `${EVENT_SECRET}\n`);
    const events = { url: 'https://backend.example/events?of=main', secretFile: 'keys/main.events', steps: true };
    write('entities.json', { main: { kind: 'test', apiKeyFile: 'keys/main.key', events } });
    const { entities } = loadConfig(environment(), { role: 'worker' });
    expect(entities[0]!.events).toEqual({ url: events.url, secret: EVENT_SECRET, steps: true });
  });

  test('gets the interval of the sweeps', () => {
    write('entities.json', { main: { kind: 'test', apiKeyFile: 'keys/main.key', sweepEvery: '10 seconds' } });
    expect(loadConfig(environment(), { role: 'worker' }).entities[0]!.sweepEveryMs).toBe(10_000);
  });

  test('serves an emulator when only its API host is set', () => {
    write('entities.json', {
      demo: { kind: 'test', apiKeyFile: 'keys/main.key', hosts: { api: 'http://127.0.0.1:4010' } },
    });
    const [entity] = loadConfig(environment(), { role: 'worker' }).entities;
    expect(entity!.hosts).toEqual({ api: 'http://127.0.0.1:4010' });
    expect(entity).not.toHaveProperty('entitySecret');
  });

  test('shows every problem at once', () => {
    write('entities.json', {
      main: { kind: 'test', apiKeyFile: 'keys/none.key', entitySecretFile: 'keys/main.secret' },
      second: { kind: 'live', apiKeyFile: 'keys/main.key' },
    });
    write('key-ring.json', { identity: Buffer.alloc(32, 1).toString('base64'), current: '2026-11', keys: {} });
    expect(
      problems({
        WALLETFLOW_SEALING_KEYS_FILE: undefined,
        WALLETFLOW_API_SHARES: '0.5',
        WALLETFLOW_SHUTDOWN_GRACE: '20s',
        WALLETFLOW_LOG_LEVEL: 'verbose',
      }),
    ).toEqual([
      'WALLETFLOW_API_SHARES: is not a variable of Walletflow. Did you mean WALLETFLOW_API_SHARE?',
      'entities.json main.apiKeyFile: names keys/none.key, which does not exist. Name a file that this process can read.',
      'entities.json second.apiKeyFile: is a TEST_API_KEY, but kind is live. Configure a LIVE_API_KEY or change kind to test.',
      'WALLETFLOW_KEY_RING_FILE: Key ring key-ring.json: current: is not the id of a key under "keys"; set it to the id of ' +
        'the latest key. Correct the file; existing data still needs the old keys.',
      'WALLETFLOW_SEALING_KEYS_FILE: is not set. Set it to the path of the file; docs/configuration.md says how to create one.',
      'WALLETFLOW_LOG_LEVEL: is not a log level. Set it to one of trace, debug, info, warn, error, silent.',
      'WALLETFLOW_SHUTDOWN_GRACE: is not longer than the 20 seconds that a request may take. Write a number and a unit, ' +
        'such as "30 seconds"; it must be longer than 20 seconds.',
    ]);
  });

  test('needs the private part of all sealing keys', () => {
    write('sealing-keys.json', publicOnly(SEALING_KEYS));
    expect(problems()).toEqual([
      'WALLETFLOW_SEALING_KEYS_FILE: has no private key for 2026-11, which a worker needs to open sealed data. ' +
        'Give workers the complete file, and backends only its public part.',
    ]);
  });

  test.each([
    ['WALLETFLOW_API_SHARE', ['0', '1.01', '-1', '50%', 'half', '1e-1']],
    ['WALLETFLOW_HEALTH_ADDRESS', ['9464', ':9464', 'localhost', 'localhost:99999', 'http://localhost:9464']],
    ['WALLETFLOW_SHUTDOWN_GRACE', ['30', '20 seconds', '-1 hour', 'long']],
    ['WALLETFLOW_LOG_LEVEL', ['INFO', 'constructor']],
  ])('%s is checked', (name, values) => {
    for (const value of values) {
      expect(problems({ [name]: value })).toEqual([expect.stringMatching(`^${name}: is not `)]);
    }
  });

  test.each<[string, unknown, string[]]>([
    [
      'invalid JSON',
      `{ "main": "${API_KEY}"`,
      ['WALLETFLOW_ENTITIES_FILE: names entities.json, which is not valid JSON.'],
    ],
    [
      'an entity that is there twice',
      `{ "main": { "kind": "test" }, "main": { "kind": "test" } }`,
      ['WALLETFLOW_ENTITIES_FILE: names entities.json, which has a name twice in an object. Keep one of the two.'],
    ],
    ['an empty file', ' ', ['WALLETFLOW_ENTITIES_FILE: names entities.json, which is empty.']],
    ['not an object', [], ['entities.json: must be an object. Write { "<entity>": { … } }.']],
    ['no entity', {}, ['entities.json: has no entity. Add one.']],
    ['an entity that is not an object', { main: API_KEY }, ['entities.json main: must be an object.']],
    [
      'an invalid entity name',
      { 'Main Entity': { kind: 'test', apiKeyFile: 'keys/main.key' } },
      ['entities.json Main Entity: is not an entity name. Use 1 to 32 of a-z, 0-9 and "-".'],
    ],
    [
      'missing and unknown fields',
      { main: { apiKey: API_KEY } },
      [
        'entities.json main.kind: must be "test" or "live".',
        'entities.json main.apiKeyFile: must be the path of a file.',
        'entities.json main: has the unknown field "apiKey".',
      ],
    ],
    [
      'an interval of sweeps that is too long',
      { main: { kind: 'test', apiKeyFile: 'keys/main.key', sweepEvery: '10 minutes' } },
      ['entities.json main.sweepEvery: must be from 1 second to 5 minutes.'],
    ],
    [
      'an unknown blockchain',
      { main: { kind: 'test', apiKeyFile: 'keys/main.key', chains: ['SEPOLIA'] } },
      ['entities.json main.chains[0]: is not a blockchain of the API.'],
    ],
    [
      'a blockchain of the other kind',
      { main: { kind: 'test', apiKeyFile: 'keys/main.key', chains: ['ETH'] } },
      ['entities.json main.chains: blockchain: ETH is a mainnet and needs a LIVE_API_KEY'],
    ],
    [
      'secrets instead of paths',
      { main: { kind: 'test', apiKeyFile: API_KEY, entitySecretFile: SECRET } },
      [
        'entities.json main.apiKeyFile: holds a secret instead of the path of a file.',
        'entities.json main.entitySecretFile: holds a secret instead of the path of a file.',
      ],
    ],
    [
      'a secret that is too short',
      { main: { kind: 'test', apiKeyFile: 'keys/main.key', entitySecretFile: 'keys/main.key' } },
      ['entities.json main.entitySecretFile: must be 64 hexadecimal characters (32 bytes), got 30 characters.'],
    ],
    [
      'missing and unknown fields of an endpoint for events',
      {
        main: { kind: 'test', apiKeyFile: 'keys/main.key', events: { url: 'backend', secretFile: EVENT_SECRET } },
        second: { kind: 'test', apiKeyFile: 'keys/main.key', events: { url: 'x', secretFile: 'keys/main.key' } },
        third: { kind: 'test', apiKeyFile: 'keys/main.key', events: { secret: 'x', steps: 'all' } },
      },
      [
        'entities.json third.events.url: must be a URL.',
        'entities.json third.events.secretFile: must be the path of a file.',
        'entities.json third.events.steps: must be true or false.',
        'entities.json third.events: has the unknown field "secret".',
      ],
    ],
    [
      'an invalid secret of an endpoint for events',
      {
        main: { kind: 'test', apiKeyFile: 'keys/main.key', events: { url: 'backend', secretFile: EVENT_SECRET } },
        second: { kind: 'test', apiKeyFile: 'keys/main.key', events: { url: 'x', secretFile: 'keys/main.key' } },
      },
      [
        'entities.json main.events.secretFile: holds a secret instead of the path of a file.',
        'entities.json second.events.url: is not a URL.',
        'entities.json second.events.secretFile: is not whsec_ followed by 24 to 64 bytes in base64. Generate one with:',
      ],
    ],
    [
      'a folder instead of a file',
      { main: { kind: 'test', apiKeyFile: 'keys' } },
      ['entities.json main.apiKeyFile: names keys, which is a folder.'],
    ],
  ])('entities file: %s', (_, content, expected) => {
    write('entities.json', content);
    const shown = problems();
    expect(shown).toHaveLength(expected.length);
    shown.forEach((problem, index) => expect(problem).toContain(expected[index]));
  });

  test('problems name damaged key files and never show their content', () => {
    write('key-ring.json', `${SECRET} is not JSON`);
    write('sealing-keys.json', { current: '2026-11', keys: { '2026-11': { publicKey: SECRET } } });
    expect(problems()).toEqual([
      expect.stringContaining('WALLETFLOW_KEY_RING_FILE: Key ring key-ring.json: is not JSON'),
      expect.stringContaining(
        'WALLETFLOW_SEALING_KEYS_FILE: Sealing keys sealing-keys.json: keys.2026-11.publicKey: must be',
      ),
    ]);
  });

  test('shows the problems of the policies file', () => {
    write('policies.json', { default: [] });
    expect(problems({ WALLETFLOW_POLICIES_FILE: join(folder, 'policies.json') })).toEqual([
      'policies.json default: has no version. Add { "version": 1, … }, or remove the policy.',
    ]);
  });
});

describe('live entities', () => {
  beforeEach(() => {
    write('entities.json', {
      main: { kind: 'test', apiKeyFile: 'keys/main.key' },
      payouts: { kind: 'live', apiKeyFile: 'keys/live.key' },
    });
  });

  test('are rejected unless WALLETFLOW_LIVE names them', () => {
    expect(problems()).toEqual([
      'entities.json payouts.kind: live calls are not allowed for this entity. Set WALLETFLOW_LIVE=payouts to allow them.',
    ]);
    expect(problems({ WALLETFLOW_LIVE: 'payouts' })).toEqual([]);
  });

  test.each(['payouts,main', 'payouts,payout', 'payouts, constructor'])(
    'WALLETFLOW_LIVE=%s is rejected because it names an entity that is not live',
    (value) => {
      expect(problems({ WALLETFLOW_LIVE: value })).toEqual([
        expect.stringMatching(
          /^WALLETFLOW_LIVE: names "(main|payout|constructor)", which is not a live entity in entities.json/,
        ),
      ]);
    },
  );
});

describe('a backend', () => {
  test('needs no secret of the API and gets no private key', () => {
    rmSync(join(folder, 'keys'), { recursive: true });
    const config = loadConfig(environment(), { role: 'backend' });
    expect(config).toMatchObject({ entity: 'main', logLevel: 'info' });
    expect(config.sealingKeys).toEqual(publicOnly(SEALING_KEYS));
  });

  test('needs no entities file when it names its entity', () => {
    const env = environment({ WALLETFLOW_ENTITIES_FILE: undefined, WALLETFLOW_ENTITY: 'main' });
    expect(loadConfig(env, { role: 'backend' }).entity).toBe('main');
  });

  test.each([
    [
      'neither file nor name',
      { WALLETFLOW_ENTITIES_FILE: undefined },
      'is not set. Set it to the name of an entity that the workers serve.',
    ],
    [
      'a name that is not in the file',
      { WALLETFLOW_ENTITY: 'maine' },
      'is not in entities.json. Set it to one of main.',
    ],
    [
      'an invalid name',
      { WALLETFLOW_ENTITY: 'main/transfer' },
      'is not an entity name. Use 1 to 32 of a-z, 0-9 and "-".',
    ],
  ])('rejects %s', (_, overrides, problem) => {
    expect(problems(overrides, 'backend')).toEqual([`WALLETFLOW_ENTITY: ${problem}`]);
  });

  test('must choose one of several entities', () => {
    const entity = { kind: 'test', apiKeyFile: 'k' };
    write('entities.json', { main: entity, second: entity });
    expect(problems({}, 'backend')).toEqual([
      'WALLETFLOW_ENTITY: is not set, and there are several entities. Set it to one of main, second.',
    ]);
    expect(loadConfig(environment({ WALLETFLOW_ENTITY: 'second' }), { role: 'backend' }).entity).toBe('second');
  });
});

test('an unknown variable that resembles no known one gets no suggestion', () => {
  expect(problems({ WALLETFLOW_DATABASE: 'x' })).toEqual([
    'WALLETFLOW_DATABASE: is not a variable of Walletflow. Remove it; docs/configuration.md lists all variables.',
  ]);
});

/** `UPDATE_DOCS=1 npx jest test/unit/config.test.ts` writes the table into the document. */
test('the document shows the table of variables', () => {
  const marked = /(<!-- variables -->\n\n<!-- prettier-ignore -->\n)[^]*?(\n<!-- \/variables -->)/;
  const text = readFileSync(DOCUMENT, 'utf8');
  const updated = text.replace(marked, (_, begin: string, end: string) => `${begin}${variablesTable()}\n${end}`);
  expect(text).toMatch(marked);
  if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, updated);
  else expect(text).toBe(updated);
});
