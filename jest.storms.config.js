/** The rest, `npm run test:all`: what users do at length (test/users), the heavy runs of test/storms and the page in a browser. */

const base = require('./jest.config.js');

// All that a stack ran is replayed at its end.
process.env.WALLETFLOW_TEST_REPLAY = '1';

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/{users,storms,browser}/**/*.test.ts'],
  testTimeout: 1_200_000,
  passWithNoTests: true,
};
