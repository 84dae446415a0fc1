/** `npm run record`: records test/replay/histories again, with the same server and emulator as the tests. */

const base = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/replay/record.ts'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
