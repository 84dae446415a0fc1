import { NOTIFICATION_TYPES } from '../../../src/api/contract/notifications';
import { readEnvelope } from '../../../src/gateway/envelope';
import {
  addresseeOf,
  ChallengeNotification,
  SUBSCRIBED_TYPES,
  TransactionNotification,
} from '../../../src/gateway/routes';

const single = NOTIFICATION_TYPES.filter((type) => !type.includes('*'));

test('every type of the API has an addressee', () => {
  const to = Object.fromEntries(single.map((type) => [type, addresseeOf(type)]));
  expect(to['transactions.outbound']).toBe('flow');
  for (const type of single) {
    if (type.startsWith('challenges.')) expect(to[type]).toBe('session');
    else if (type !== 'transactions.outbound') expect(to[type]).toBe('box');
  }
});

test('an unheard-of type is kept, one of a known family goes its way, a try is for nobody', () => {
  expect(addresseeOf('payouts.done')).toBe('box');
  expect(addresseeOf('constructor')).toBe('box');
  expect(addresseeOf('challenges.signMessage')).toBe('session');
  expect(addresseeOf('webhooks.test')).toBe('nobody');
});

test('what setup subscribes to is what flows and sessions hear', () => {
  const heard = single.filter((type) => addresseeOf(type) !== 'box');
  const covers = (wanted: string, type: string) =>
    wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1)));
  expect(heard.filter((type) => !SUBSCRIBED_TYPES.some((wanted) => covers(wanted, type)))).toEqual([]);
  for (const wanted of SUBSCRIBED_TYPES) expect(heard.some((type) => covers(wanted, type))).toBe(true);
});

test('an envelope is version 2, with a type and a notification', () => {
  const envelope = {
    subscriptionId: '0190c3f4-0000-7000-8000-000000000001',
    notificationId: 'n',
    notificationType: 'transactions.outbound',
    notification: { id: 'x', of: 'tomorrow' },
    timestamp: '2026-11-28T00:00:00.123456789Z',
    version: 2,
    later: true,
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

test('notifications give what flows act on, whether empty fields are left out, null or zero', () => {
  expect(TransactionNotification.parse({ id: 't', state: 'SENT', txHash: null, amounts: ['1'] })).toEqual({
    id: 't',
    state: 'SENT',
  });
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
