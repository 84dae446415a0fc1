/**
 * The slow tests, `npm run test:all`: complete flows of users (test/users), stress tests with hundreds of flows and killed
 * workers (test/stress), and the emulator's page in a browser (test/browser).
 */

const base = require('./jest.config.js');

// Replays all histories of a test stack when it stops.
process.env.WALLETFLOW_TEST_REPLAY = '1';

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/{users,stress,browser}/**/*.test.ts'],
  testTimeout: 600_000,
  // Each file loads a copy of the SDK, whose native runtime stays until the process ends. A new process is faster.
  workerIdleMemoryLimit: '1GB',
  passWithNoTests: true,
};
