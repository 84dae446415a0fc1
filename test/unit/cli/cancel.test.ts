import { answerLine } from '../../../src/cli/cancel';

test('an answer that decides nothing says what does, and where to look', () => {
  expect(answerLine('transfer/a', 'accepted')).toBe('transfer/a  cancelled; nothing had been sent');
  expect(answerLine('transfer/a', 'tooLate')).toBe('transfer/a  too late; it goes on to its end');
  expect(answerLine('transfer/a', 'undecided')).toMatch(
    /an approval that its user can still give, .* → npx walletflow status transfer\/a$/,
  );
});
