/**
 * Prints `N passed, N failed` for jest's result files. A test file that cannot run is one failure, and so is a run without
 * results or a failed run without a failed test.
 */

const { existsSync, readFileSync } = require('node:fs');

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { success: false };
  const failures = (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
  passed += results.numPassedTests ?? 0;
  failed += results.success ? failures : Math.max(failures, 1);
}
console.log(`${passed} passed, ${failed} failed`);
