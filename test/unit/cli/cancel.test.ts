import { cancelLine } from '../../../src/cli/cancel';

test('the line for an undecided result says what decides it, and how to check', () => {
  expect(cancelLine('transfer/a', 'accepted')).toBe('transfer/a  cancelled; nothing had been sent');
  expect(cancelLine('transfer/a', 'tooLate')).toBe('transfer/a  too late to cancel; the flow continues to its end');
  expect(cancelLine('transfer/a', 'undecided')).toMatch(
    /an approval that the user can still give, .* → npx walletflow status transfer\/a$/,
  );
});
