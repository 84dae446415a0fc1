/**
 * The suite of `npm test`: all tests that are fast enough to run before each push. jest.stress.config.js has the slow ones.
 */

const { existsSync } = require('node:fs');
const path = require('node:path');

const hooks = Object.fromEntries(
  ['globalSetup', 'globalTeardown']
    .map((hook) => [hook, path.join(__dirname, `test/support/${hook}.ts`)])
    .filter(([, file]) => existsSync(file)),
);

/** Packages without CommonJS code. Node can `require` them, but jest's module loader cannot, so they are compiled. */
const ES_MODULES = [
  '@scure/base',
  '@seriousme/openapi-schema-validator',
  // dependencies of listr2
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
  'tinyqueue',
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
  // Long enough for slow machines. Only failing tests take this long.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/jest.sequencer.js',
  // Each jest worker may run its own Temporal workers and emulator. With one more than a small machine has cores, some wait
  // while others work.
  maxWorkers: 3,
  // If jest runs tests in its own process, handles of the SDK's native code would keep that process alive.
  forceExit: true,
};
