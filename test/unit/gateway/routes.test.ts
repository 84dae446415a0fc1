import { NOTIFICATION_TYPES } from '../../../src/api/contract/notifications';
import { readEnvelope } from '../../../src/gateway/envelope';
import {
  ChallengeNotification,
  SUBSCRIBED_TYPES,
  targetOf,
  TransactionNotification,
} from '../../../src/gateway/routes';

const single = NOTIFICATION_TYPES.filter((type) => !type.includes('*'));

test('every notification type of the API has a target', () => {
  const targets = Object.fromEntries(single.map((type) => [type, targetOf(type)]));
  expect(targets['transactions.outbound']).toBe('flow');
  for (const type of single) {
    if (type.startsWith('challenges.')) expect(targets[type]).toBe('session');
    else if (type !== 'transactions.outbound') expect(targets[type]).toBe('held');
  }
});

test('an unknown type is held, an unknown challenge type goes to the session, a test webhook goes nowhere', () => {
  expect(targetOf('payouts.done')).toBe('held');
  expect(targetOf('constructor')).toBe('held');
  expect(targetOf('challenges.signMessage')).toBe('session');
  expect(targetOf('webhooks.test')).toBe('none');
});

test('setup subscribes to exactly the types that flows and sessions receive', () => {
  const received = single.filter((type) => targetOf(type) !== 'held');
  const covers = (subscribed: string, type: string) =>
    subscribed === type || (subscribed.endsWith('.*') && type.startsWith(subscribed.slice(0, -1)));
  expect(received.filter((type) => !SUBSCRIBED_TYPES.some((subscribed) => covers(subscribed, type)))).toEqual([]);
  for (const subscribed of SUBSCRIBED_TYPES) expect(received.some((type) => covers(subscribed, type))).toBe(true);
});

test('a valid envelope has version 2, a type and a notification', () => {
  const envelope = {
    subscriptionId: '0190c3f4-0000-7000-8000-000000000001',
    notificationId: 'n',
    notificationType: 'transactions.outbound',
    notification: { id: 'x', extra: 'field' },
    timestamp: '2026-11-28T00:00:00.123456789Z',
    version: 2,
    extra: true,
  };
  const read = (value: unknown) => readEnvelope(Buffer.from(JSON.stringify(value)));
  expect(read(envelope)).toEqual(envelope);
  for (const broken of [
    { ...envelope, version: 1 },
    { ...envelope, subscriptionId: undefined },
    { ...envelope, subscriptionId: '../x' },
    { ...envelope, notificationId: '' },
    { ...envelope, notificationId: 'n'.repeat(129) },
    { ...envelope, notificationType: '../x' },
    { ...envelope, notification: [] },
    null,
    [],
  ]) {
    expect(read(broken)).toBeUndefined();
  }
  expect(readEnvelope(Buffer.from('{"a":'))).toBeUndefined();
  expect(readEnvelope(Buffer.alloc(0))).toBeUndefined();
});

test('a parsed notification has the fields that flows use, and leaves out those that are null, empty or zero', () => {
  const transaction = { id: 't', state: 'SENT' };
  expect(TransactionNotification.parse({ ...transaction, txHash: null, amounts: ['1'], nfts: [] })).toEqual({
    ...transaction,
    amounts: ['1'],
  });
  expect(TransactionNotification.parse({ ...transaction, amounts: null })).toEqual(transaction);
});

test('a notification keeps the content of the transaction and its evaluation, and skips an evaluation that it cannot read', () => {
  const transaction = { id: 'x', state: 'DENIED' };
  const content = { walletId: 'w', destinationAddress: '0x1', tokenId: 't', amounts: ['1'] };
  const reason = { source: 'ADDRESS', riskScore: 'SEVERE', riskCategories: ['SANCTIONS'], type: 'OWNERSHIP' };
  const evaluation = { ruleName: 'rule', actions: ['DENY'], reasons: [reason] };
  const shown = {
    screeningDate: '2026-11-29',
    ...evaluation,
    reasons: [{ ...reason, sourceValue: '0x1', signalSource: null }],
  };
  expect(TransactionNotification.parse({ ...transaction, ...content, transactionScreeningEvaluation: shown })).toEqual({
    ...transaction,
    ...content,
    transactionScreeningEvaluation: evaluation,
  });
  for (const unreadable of [null, 'text', { reasons: 1 }, { actions: [1] }])
    expect(TransactionNotification.parse({ ...transaction, transactionScreeningEvaluation: unreadable })).toEqual(
      transaction,
    );
  expect(
    ChallengeNotification.parse({
      id: 'c',
      userId: 'u',
      type: 'SET_PIN',
      status: 'COMPLETE',
      correlationIds: null,
      errorCode: 0,
      errorMessage: '',
    }),
  ).toEqual({ id: 'c', userId: 'u', type: 'SET_PIN', status: 'COMPLETE', correlationIds: [] });
});
