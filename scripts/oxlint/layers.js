/**
 * An oxlint plugin that checks the direction of imports between folders.
 *
 * The built-in rules compare the import specifier (`../config`), but the file that it refers to depends on the folder of the
 * importing file. This rule compares the resolved path.
 */

const path = require('node:path');
const { builtinModules } = require('node:module');

/** Only packages that `npm prune --omit=dev` keeps. */
const PACKAGES = Object.keys(require('../../package.json').dependencies);
const NODE = ['node:'];
const PRODUCT = ['src', 'workflows', 'activities'];

/**
 * The folders of the emulator, and `settings.ts`, bottom up: each may import itself and those before it. `World` does not
 * know the subsystems after it; each of them adds its state to `World` (`declare module`). The other files directly in
 * src/emulator may import every folder.
 */
const EMULATOR = `
  kit errors settings chains ledger credentials requests faults state webhooks
  world
  crossChain evm wallets screening transactions checks signing users forwarding
  openapi http contracts ramp travelRule handlers rpc
  audit page views control
`
  .trim()
  .split(/\s+/)
  .map((name) => `src/emulator/${name}`);

/** The emulator shares definitions with the product, but no behaviour: it would not reveal a bug that it shares. */
const EMULATOR_SHARED = [
  'src/api/contract',
  'src/api/errors',
  'src/domain',
  'src/crypto',
  'src/logger',
  ...PACKAGES,
  ...NODE,
];

/**
 * The first layer whose folder contains the importing file applies. Files outside all layers (tests, benchmarks, scripts) may
 * import anything.
 *
 * - `values`: allowed imports: folders and files from the root (without extension), packages, `node:`.
 * - `types`: allowed type-only imports, which leave nothing in the output; 'any' allows all; default: as `values`.
 * - `except`: forbidden imports inside the folders that `values` names.
 */
const LAYERS = [
  // The rules of sessions and lanes are pure; only `runtime` knows Temporal.
  ...['workflows/session', 'workflows/lane'].flatMap((folder) => [
    { folder: `${folder}/runtime`, values: ['workflows', 'src/domain', '@temporalio/workflow'], types: 'any' },
    { folder, values: [folder, 'src/domain'], types: 'any' },
  ]),
  // Replayed code: the bundle must contain nothing heavy and nothing that reads a clock, a file or a socket.
  { folder: 'workflows', values: ['workflows', 'src/domain', '@temporalio/workflow'], types: 'any' },
  { folder: 'src/domain', values: ['src/domain'] },
  // Runs in a browser, where the rest of the emulator is not available.
  { folder: 'src/emulator/page', values: ['src/emulator/page', 'preact'] },
  ...EMULATOR.map((folder, index) => ({ folder, values: [...EMULATOR.slice(0, index + 1), ...EMULATOR_SHARED] })),
  { folder: 'src/emulator', values: ['src/emulator', ...EMULATOR_SHARED] },
  // Flow definitions as data, which backends and the CLI read without a connection.
  {
    folder: 'src/flows',
    values: ['src/flows', 'src/domain', 'src/api/contract', 'src/api/errors', 'src/config/duration', 'zod'],
  },
  // Imported by backends, which must never load a worker, activities or development tools.
  {
    folder: 'src/client',
    values: [...PRODUCT, ...PACKAGES, ...NODE],
    except: [
      'src/cli',
      'src/dev',
      'src/emulator',
      'src/gateway',
      'src/worker',
      'activities',
      'workflows',
      '@temporalio/worker',
    ],
  },
  { folder: 'src/dev', values: [...PRODUCT, ...PACKAGES, ...NODE], except: ['src/cli', 'src/emulator'] },
  { folder: 'src/cli', values: [...PRODUCT, ...PACKAGES, ...NODE] },
  { folder: 'src', values: [...PRODUCT, ...PACKAGES, ...NODE], except: ['src/dev', 'src/emulator'] },
  { folder: 'activities', values: [...PRODUCT, ...PACKAGES, ...NODE], except: ['src/emulator'] },
];

/** @returns {boolean} whether `target` is `entry` or inside it */
const within = (target, entry) => target === entry || target.startsWith(entry.endsWith(':') ? entry : `${entry}/`);

const withoutExtension = (file) => file.replace(/\.[cm]?[jt]sx?$/, '');

/** Resolves an import to a path from the root without extension, `node:…`, or the package's specifier. */
function targetOf(specifier, file) {
  if (specifier.startsWith('.')) return withoutExtension(path.posix.join(path.posix.dirname(file), specifier));
  return builtinModules.includes(specifier) ? `node:${specifier}` : specifier;
}

/** Whether this is `import type …`, or each name in braces is marked `type`. */
function isTypeOnly(node) {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = node.specifiers ?? [];
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}

const imports = {
  meta: { type: 'problem', docs: { description: 'enforces the import direction between folders' } },
  create(context) {
    const file = withoutExtension(path.relative(context.cwd, context.filename).split(path.sep).join('/'));
    const layer = LAYERS.find(({ folder }) => within(file, folder));
    if (!layer) return {};

    function check(node, source, typeOnly) {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const allowed = typeOnly && layer.types ? layer.types : layer.values;
      if (allowed === 'any') return;
      const target = targetOf(source.value, file);
      const excepted = layer.except?.some((entry) => within(target, entry));
      if (!excepted && allowed.some((entry) => within(target, entry))) return;
      context.report({ node, message: `${layer.folder} may not import ${target}. See scripts/oxlint/layers.js.` });
    }

    return {
      ImportDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportAllDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source, true),
      TSModuleDeclaration: (node) => check(node, node.id, true),
      TSExternalModuleReference: (node) => check(node, node.expression, false),
      CallExpression: (node) => {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require') check(node, node.arguments[0], false);
      },
    };
  },
};

module.exports = { meta: { name: 'layers' }, rules: { imports } };
