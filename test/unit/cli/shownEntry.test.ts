import { shownEntry } from '../../../src/cli/events/shownEntry';

const ENTRY = { id: 'n-1', at: '2026-11-28T10:00:00.000Z', type: 'transactions.outbound', reason: 'there is no flow' };
const ADDRESS = '0xCANARY';
const evaluation = { ruleName: 'Sanctions CANARY', reasons: [{ sourceValue: ADDRESS, riskScore: 'SEVERE' }] };

test('a parked webhook is shown as received, without the evaluation of its screening', () => {
  const body = (shown: string) =>
    `{ "notification": {"state":"DENIED", "nonce": 12345678901234567890,"transactionScreeningEvaluation" : ${shown} , "list":[{"transactionScreeningEvaluation":${shown}}]}}`;
  const { payload, ...entry } = shownEntry({ ...ENTRY, payload: body(JSON.stringify(evaluation)) });
  expect(payload).toBe(body('"withheld"'));
  expect(entry).toEqual(ENTRY);
});

test.each(['{"notification":{"id":"1"}}', 'not json', 7, null, { id: 'c-1', status: 'FAILED' }])(
  '%j has none and is shown as it is',
  (payload) => {
    expect(shownEntry({ ...ENTRY, payload })).toEqual({ ...ENTRY, payload });
  },
);

test('a dead event of a denied transaction is shown without its evaluation, and with everything else', () => {
  const data = { status: 'denied', reason: 'denied', resources: { transactionId: 't-1' }, decisions: [] };
  const event = { id: 'transfer/r/1', type: 'ended', data: { ...data, screening: { ruleName: 'CANARY' } } };
  expect(shownEntry({ ...ENTRY, payload: event }).payload).toEqual({ ...event, data });
});
