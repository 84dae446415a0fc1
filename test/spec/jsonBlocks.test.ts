import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig, type WorkerConfig } from '../../src/config';
import { generateKeyRing } from '../../src/crypto/keyRing';
import { generateSealingKeys } from '../../src/crypto/sealingKeys';
import { endCommands, startShell } from '../support/commandLine';
import { type CodeBlock, codeBlocks, documents } from '../support/documents';

/** The JSON blocks of the documents: a worker must accept each as its file. */

interface Reader {
  /** Variable that names the file. */
  variable: string;
  /** What the worker's configuration must contain because of the file. */
  check(config: WorkerConfig, shown: Record<string, unknown>): void;
}

const entities: Reader = {
  variable: 'WALLETFLOW_ENTITIES_FILE',
  check: ({ entities }, shown) => expect(entities.map(({ name }) => name)).toEqual(Object.keys(shown)),
};
const keyRing: Reader = {
  variable: 'WALLETFLOW_KEY_RING_FILE',
  check: ({ keyRing }, shown) => expect(keyRing.currentId).toBe(shown.current),
};
const sealingKeys: Reader = {
  variable: 'WALLETFLOW_SEALING_KEYS_FILE',
  check: ({ sealingKeys }, shown) => expect(sealingKeys).toEqual(shown),
};
const identity: Reader = {
  variable: 'WALLETFLOW_IDENTITY_FILE',
  check: ({ issuers }, shown) => expect(issuers).toMatchObject(shown.issuers as object[]),
};
const policies: Reader = {
  variable: 'WALLETFLOW_POLICIES_FILE',
  check({ policies }, shown) {
    for (const [name, versions] of Object.entries(shown))
      expect(policies.find(name).version).toBe((versions as object[]).length);
  },
};

/** By section. Without a reader: the compiler checks them, with the programs. */
const READERS: Readonly<Record<string, Reader | undefined>> = {
  'docs/configuration.md#entities': entities,
  'docs/configuration.md#events': entities,
  'docs/configuration.md#key-ring': keyRing,
  'docs/configuration.md#sealing-keys': sealingKeys,
  'docs/configuration.md#identity': identity,
  'docs/configuration.md#policies': policies,
  'docs/operations.md#events': undefined,
};

const ALL = documents().flatMap((file) => codeBlocks(file));
const BLOCKS = ALL.filter(({ language }) => language === 'json');

const NOW = new Date('2026-11-28T00:00:00Z');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'walletflow-json-'));
  mkdirSync(path.join(folder, 'secrets'));
  write('secrets/main.key', 'TEST_API_KEY:0123abcd:fedcba98');
  write('secrets/main.secret', 'ab'.repeat(32));
  write('secrets/main.events', `whsec_${randomBytes(32).toString('base64')}`);
});
afterEach(() => {
  endCommands();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

/**
 * The configuration of a worker whose files are the given one and, for those that it also needs, valid ones.
 * @throws ConfigurationError
 */
function configWith({ variable }: Reader, text: string): WorkerConfig {
  const texts = {
    [entities.variable]: JSON.stringify({ main: { kind: 'test', apiKeyFile: 'secrets/main.key' } }),
    [keyRing.variable]: JSON.stringify(generateKeyRing(NOW)),
    [sealingKeys.variable]: JSON.stringify(generateSealingKeys(NOW)),
    [variable]: text,
  };
  const env = Object.entries(texts).map(([name, content]) => [name, write(`${name}.json`, content)]);
  return loadConfig(Object.fromEntries(env) as Record<string, string>, { role: 'worker' });
}

/** The block with a value for each `<32 bytes…>`. */
function filled({ code }: CodeBlock): string {
  const { current, keys } = generateSealingKeys(NOW);
  const pair = keys[current] as Record<string, string>;
  return code.replaceAll(/"([^"]+)": "<32 bytes[^>]*>"/g, (_, field: string) =>
    [field, pair[field] ?? randomBytes(32).toString('base64')].map((text) => JSON.stringify(text)).join(': '),
  );
}

test('every JSON block has a reader', () => {
  expect([...new Set(BLOCKS.map(({ section }) => section))].sort()).toEqual(Object.keys(READERS).sort());
});

test.each(BLOCKS.filter(({ section }) => READERS[section]))('a worker accepts $section, line $line', (block) => {
  const reader = READERS[block.section]!;
  const text = filled(block);
  reader.check(configWith(reader, text), JSON.parse(text) as Record<string, unknown>);
});

describe('a worker accepts what the shell block generates', () => {
  const generate = async (section: string) => {
    const { code } = ALL.find((block) => block.section === section && block.language === 'sh')!;
    return (await startShell(code, { cwd: folder }).ended).out;
  };

  test('as the secret of events', async () => {
    write('secrets/main.events', '');
    await generate('docs/configuration.md#events');
    const events = ALL.find(
      ({ section, language }) => section === 'docs/configuration.md#events' && language === 'json',
    );
    expect(configWith(entities, events!.code).entities[0]!.events!.secret).toMatch(/^whsec_.{44}$/);
  });

  test('as sealing keys', async () => {
    const keys = await generate('docs/configuration.md#sealing-keys');
    expect(configWith(sealingKeys, keys).sealingKeys.current).toBe('first');
  });
});
