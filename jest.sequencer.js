/**
 * Starts the test files that take minutes before the others, so that none of them is left running alone at the end. Jest
 * itself knows how long a file takes only where it has run before, and else starts the largest files first.
 */

const { default: Sequencer } = require('@jest/test-sequencer');

/** Slowest first. */
const SLOW = [
  'stress/changedAnswers',
  'stress/exactlyOnce',
  'users/userTransfer',
  'users/challengeExpiry',
  'users/sessionEnds',
  'stress/session',
  'stress/lostReplies',
  'stress/operators',
  'stress/rotation',
  'stress/lane',
  'replay/replay',
];

/** @param {string} file */
const rank = (file) => {
  const index = SLOW.findIndex((name) => file.endsWith(`/test/${name}.test.ts`));
  return index === -1 ? SLOW.length : index;
};

module.exports = class SlowFirst extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    // `sort` is stable: the other files keep Jest's order.
    return super.sort(tests).sort((a, b) => rank(a.path) - rank(b.path));
  }
};
