/** The rest, `npm run test:all`: the heavy runs of test/storms, one at a time because they measure. */

const base = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/storms/**/*.test.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
  passWithNoTests: true,
};
