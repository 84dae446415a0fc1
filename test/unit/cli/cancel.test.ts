import { cancelLine } from '../../../src/cli/cancel';

test('the line for an undecided result says what it depends on, and how to check', () => {
  expect(cancelLine('transfer/a', 'accepted')).toBe('transfer/a  cancelled; nothing was created in the API');
  expect(cancelLine('transfer/a', 'tooLate')).toBe('transfer/a  too late to cancel; the flow continues to its end');
  expect(cancelLine('transfer/a', 'undecided')).toMatch(
    /whether the user still approves → npx walletflow status transfer\/a$/,
  );
});
