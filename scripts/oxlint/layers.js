/**
 * An oxlint plugin that holds the direction of imports between folders.
 *
 * The built-in rules compare the text of an import (`../config`), whose meaning depends on how deep the importing file
 * lies. This one compares the path that the text leads to.
 */

const path = require('node:path');
const { builtinModules } = require('node:module');

/** Only what `npm prune --omit=dev` leaves. */
const PACKAGES = Object.keys(require('../../package.json').dependencies);
const NODE = ['node:'];
const PRODUCT = ['src', 'workflows', 'activities'];

/**
 * The first layer whose folder holds the importing file counts; a file in none is free (tests, benchmarks, scripts).
 *
 * - `values`: what its files may import: folders and files from the root (without extension), packages, `node:`.
 * - `types`: the same for type-only imports; left out: as `values`; 'any': a type leaves nothing in the output.
 * - `except`: what they may not import although `values` names a folder above it.
 */
const LAYERS = [
  // Replayed code: nothing that reads a clock, a file or a socket, and nothing heavy, gets into the bundle.
  { folder: 'workflows', values: ['workflows', 'src/domain', '@temporalio/workflow'], types: 'any' },
  { folder: 'src/domain', values: ['src/domain'] },
  // Runs in a browser: the emulator's own code is out of its reach.
  { folder: 'src/emulator/page', values: ['src/emulator/page', 'preact'] },
  // The emulator shares words with the product, never behaviour: else a bug would agree with itself.
  {
    folder: 'src/emulator',
    values: [
      'src/emulator',
      'src/api/contract',
      'src/api/errors',
      'src/domain',
      'src/crypto',
      'src/logger',
      ...PACKAGES,
      ...NODE,
    ],
  },
  { folder: 'src/cli', values: [...PRODUCT, ...PACKAGES, ...NODE] },
  { folder: 'src', values: [...PRODUCT, ...PACKAGES, ...NODE], except: ['src/emulator'] },
  { folder: 'activities', values: [...PRODUCT, ...PACKAGES, ...NODE], except: ['src/emulator'] },
];

/** @returns {boolean} whether `target` is `entry` or lies below it */
const within = (target, entry) => target === entry || target.startsWith(entry.endsWith(':') ? entry : `${entry}/`);

/** Where an import leads: a path from the root without extension, `node:…`, or the package's specifier. */
function targetOf(specifier, file) {
  if (specifier.startsWith('.'))
    return path.posix.join(path.posix.dirname(file), specifier).replace(/\.[cm]?[jt]s$/, '');
  return builtinModules.includes(specifier) ? `node:${specifier}` : specifier;
}

/** `import type …`, or braces in which each name is marked `type`. */
function isTypeOnly(node) {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = node.specifiers ?? [];
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}

const imports = {
  meta: { type: 'problem', docs: { description: 'imports between folders go one way' } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const layer = LAYERS.find(({ folder }) => within(file, folder));
    if (!layer) return {};

    function check(node, source, typeOnly) {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const allowed = typeOnly && layer.types ? layer.types : layer.values;
      if (allowed === 'any') return;
      const target = targetOf(source.value, file);
      const excepted = layer.except?.some((entry) => within(target, entry));
      if (!excepted && allowed.some((entry) => within(target, entry))) return;
      context.report({ node, message: `${layer.folder}/ may not import ${target}. See scripts/oxlint/layers.js.` });
    }

    return {
      ImportDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportAllDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source, true),
      TSExternalModuleReference: (node) => check(node, node.expression, false),
      CallExpression: (node) => {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require') check(node, node.arguments[0], false);
      },
    };
  },
};

module.exports = { meta: { name: 'layers' }, rules: { imports } };
