/**
 * The suite of `npm test`: everything under test/ that is quick enough to run before each push. The heavy runs (hundreds
 * of flows, killed workers) are in test/storms; see jest.storms.config.js.
 */

const { existsSync } = require('node:fs');
const path = require('node:path');

const hooks = Object.fromEntries(
  ['globalSetup', 'globalTeardown']
    .map((hook) => [hook, path.join(__dirname, `test/support/${hook}.ts`)])
    .filter(([, file]) => existsSync(file)),
);

/** Packages without CommonJS code. Node can `require` them, jest's module loader can't: they are compiled like ours. */
const ES_MODULES = [
  '@scure/base',
  '@seriousme/openapi-schema-validator',
  // what listr2 draws with
  'ansi-escapes',
  'ansi-regex',
  'ansi-styles',
  'cli-cursor',
  'cli-truncate',
  'environment',
  'get-east-asian-width',
  'is-fullwidth-code-point',
  'jose',
  'log-update',
  'mimic-function',
  'onetime',
  'restore-cursor',
  'slice-ansi',
  'string-width',
  'strip-ansi',
  'wrap-ansi',
];

/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['<rootDir>/test/{unit,spec,flows,replay,emulator,faults}/**/*.test.ts'],
  ...hooks,
  transform: {
    '\\.[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${ES_MODULES.join('|')})/)`],
  // For the slowest machine: only a failure takes as long.
  testTimeout: 180_000,
  // Each worker may run Temporal workers and an emulator of its own.
  maxWorkers: 2,
  // Where jest runs tests in its own process, what the SDK's native code still holds would keep it from ending.
  forceExit: true,
};
