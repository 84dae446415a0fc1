import { readForm } from '../../../src/domain/forms';
import { sessionMessageForm } from '../../../src/domain/messageForms';
import { aliveUntil, isIdle } from '../../../workflows/session/state';
import { Driver, effectOf, failure, LOGIN_USER, LOGIN_WITHOUT_REFRESH } from './driver';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** A flow with an open challenge c1, whose end it awaits. */
function opened(renewMs?: number) {
  const session = new Driver();
  session.open('A', { renewMs });
  session.listed().sent('c1');
  return { session, end: session.awaitEnd('A', 'c1') };
}

describe('an expired challenge', () => {
  test('is replaced with the next ordinal, without a message to the flow', () => {
    const { session, end } = opened();
    session
      .ended('c1', 'EXPIRED')
      .wait(15 * SECOND)
      .listed();
    expect(session.wanted('send')[0]!.request.effect).toEqual(effectOf('A', 2));
    session.sent('c2').ended('c2', 'COMPLETE');
    expect(session.responses(end)).toEqual([{ id: end, value: expect.objectContaining({ id: 'c2', ordinal: 2 }) }]);
  });

  test('is not replaced when its flow no longer wants that, even if the next request is already queued', () => {
    const { session, end } = opened(5 * MINUTE);
    session.open('B');
    session.ended('c1', 'EXPIRED').listed().sent('cB');
    session.wait(DAY).ended('cB', 'COMPLETE');
    expect(session.wanted('list')).toEqual([]);
    expect(session.responses(end)).toMatchObject([{ value: { id: 'c1', status: 'EXPIRED' } }]);
  });

  test('is replaced only while its flow runs: the session polls the flow, which gets no signal', () => {
    const { session } = opened();
    session
      .ended('c1', 'EXPIRED')
      .wait(15 * SECOND)
      .listed()
      .sent('c2');
    const { flow, requestCount } = session.wanted('followFlowEnd')[0]!;
    session.event({ type: 'flowClosed', flow, requestCount });
    expect(session.states).toEqual(['over']);
    expect(isIdle(session.state)).toBe(true);
  });

  test('can be withdrawn by the ordinal with which the flow took an unknown renewal over', () => {
    const { session, end } = opened();
    session
      .ended('c1', 'EXPIRED')
      .wait(15 * SECOND)
      .listed()
      .sendFailed()
      .findNothing();
    expect(session.responses(end)).toMatchObject([{ value: { renewalUnknown: true, ordinal: 2 } }]);
    session.open('A', { ordinal: 2 });
    session.sent('c2');
    const next = session.awaitEnd('A', 'c2');
    session.ended('c2', 'EXPIRED');
    session.withdraw('A', 2);
    expect(session.responses(next)).toMatchObject([{ value: { id: 'c2', status: 'EXPIRED' } }]);
    expect(session.states).toEqual(['over']);
  });

  test('blocks no other flow if its flow abandons it while the next request is sent', () => {
    const { session } = opened();
    session
      .ended('c1', 'EXPIRED')
      .wait(15 * SECOND)
      .listed();
    const { key } = session.wanted('send')[0]!;
    session.event({ type: 'sending', key });
    session.request('A', { type: 'releaseChallenge', challengeId: 'c1' });
    session.event({ type: 'sent', key, challengeId: 'c2' }).deliver();
    expect(session.states).toEqual(['over']);
  });
});

describe('one request at a time', () => {
  test('an unknown request that is requested again is not sent beside an open challenge', () => {
    const session = new Driver();
    session.open('A');
    session.listed().sendFailed().findNothing();
    session.open('B');
    session.listed().sent('cB');
    session.open('A');
    expect(session.wanted('send')).toEqual([]);
    session.ended('cB', 'COMPLETE').sent('cA');
    expect(session.states).toEqual(expect.arrayContaining(['open', 'over']));
  });

  test('a request that got its turn lists again if another one was sent before it', () => {
    const session = new Driver();
    session.open('A');
    session.listed().sendFailed().findNothing();
    session.open('B');
    session.listed();
    session.open('A');
    // The request of A was sent before, so its outcome decides first.
    expect(session.wanted('send')).toHaveLength(1);
    session.sendFailed();
    expect(session.wanted('send')).toEqual([]);
    expect(session.states).toEqual(['sent', 'queued']);
  });

  test('a flow that was reset is not dropped by the end of its earlier run', () => {
    const { session } = opened();
    session.open('B');
    const { requestCount } = session.wanted('followFlowEnd')[0]!;
    const id = session.request('A', { type: 'awaitChallengeEnd', challengeId: 'c1', challengeType: 'CHANGE_PIN' });
    session.event({ type: 'flowClosed', flow: 'A', requestCount }).deliver();
    session.ended('c1', 'COMPLETE');
    expect(session.responses(id)).toHaveLength(1);
  });

  test('an interim webhook does not end a challenge', () => {
    const { session, end } = opened();
    const update = { notificationId: 'n', id: 'c1', userId: 'u', type: 'CHANGE_PIN', correlationIds: [] };
    session.event({ type: 'update', update: { ...update, status: 'IN_PROGRESS' } }).deliver();
    expect(session.responses(end)).toEqual([]);
  });
});

describe('tokens and restrictions', () => {
  test('a cancelled flow with an unknown outcome gets a response although the user is logged out', () => {
    const session = new Driver(LOGIN_USER);
    const id = session.open('A');
    session.listed().sendFailed(155104, true);
    session.event({ type: 'renewalFailed', tokensVersion: 0, failure: failure(155104, false) }).deliver();
    session.withdraw('A');
    expect(session.responses(id)).toMatchObject([{ failure: { name: 'OutcomeUnknown' } }]);
  });

  test('tokens that are refused again right after a renewal log the user out', () => {
    const session = new Driver(LOGIN_USER);
    session.open('A');
    for (let n = 0; n < 5 && !session.state.restriction; n++) {
      session.listed().sendFailed(155104, false);
      const [renewal] = session.wanted('renewTokens');
      if (renewal) session.event({ ...renewal, type: 'tokensRenewed' }).deliver();
    }
    expect(session.state).toMatchObject({ restriction: { reason: 'loggedOut' }, renewals: 1 });
  });

  test('tokens that cannot be renewed are used until the API refuses them', () => {
    const session = new Driver(LOGIN_WITHOUT_REFRESH);
    session.open('A');
    session
      .listed()
      .sent('c1')
      .wait(11 * DAY);
    expect(session.state.restriction).toBeUndefined();
  });

  test('a user who is refused as disabled, but read as enabled, is not read again at once', () => {
    const session = new Driver();
    session.open('A');
    session.listFailed(155109).event({ type: 'userEnabled' }).listFailed(155109);
    expect(session.wanted('followUserEnabled')).toEqual([]);
    expect(session.wait(MINUTE).wanted('followUserEnabled')).toHaveLength(1);
  });

  test('a disabled user keeps no session alive after the flows have ended', () => {
    const session = new Driver();
    session.open('A');
    session.listFailed(155109);
    session.withdraw('A');
    expect(isIdle(session.state)).toBe(true);
    // The flow may wait for a decision, and wants to learn that the user is enabled.
    expect(session.wanted('followUserEnabled')).toHaveLength(1);
    const { flow, requestCount } = session.wanted('followFlowEnd')[0]!;
    session.event({ type: 'flowClosed', flow, requestCount });
    expect(session.wanted('followUserEnabled')).toEqual([]);
  });

  test('a restored PIN ends a lock early', () => {
    const session = new Driver();
    session.open('A');
    session.listed().sendFailed(155119, false);
    const user = { status: 'ENABLED', pinStatus: 'LOCKED', pinLockedForMs: 30 * MINUTE };
    session.event({ type: 'userRead', user }).deliver();
    session.open('B', { call: 'restoreUserPin' });
    session.listed().sent('cB').ended('cB', 'COMPLETE', 'RESTORE_PIN');
    expect(session.wanted('readUser')).toHaveLength(1);
  });
});

describe('the carried state', () => {
  test('does not keep the bodies of requests that are over', () => {
    const session = new Driver();
    const body = { message: 'x'.repeat(127 * 1024) };
    for (let n = 0; n < 50; n++) {
      session.open(`F${n}`, { call: 'signUserMessage', body });
      session.listed().sent(`c${n}`).ended(`c${n}`, 'COMPLETE');
    }
    expect(session.states).toHaveLength(50);
    expect(JSON.stringify(session.state).length).toBeLessThan(100_000);
  });

  test('restores the body if the flow requests an abandoned challenge again', () => {
    const { session } = opened();
    session.request('A', { type: 'releaseChallenge', challengeId: 'c1' });
    session.open('A', { body: { name: 'again' } });
    session
      .ended('c1', 'EXPIRED')
      .wait(15 * SECOND)
      .listed();
    expect(session.wanted('send')[0]!.request.body).toEqual({ name: 'again' });
  });

  test('forgets the challenge that ended first, not the one that was requested first', () => {
    const { session } = opened();
    for (let n = 0; n < 50; n++) session.open(`F${n}`);
    session.ended('c1', 'EXPIRED');
    for (let n = 0; n < 50; n++) session.listed().sent(`f${n}`).ended(`f${n}`, 'COMPLETE');
    session.wait(MINUTE).listed().sent('c2').ended('c2', 'COMPLETE');
    expect(Object.keys(session.state.records)).toContain('f/A~s.1');
    expect(Object.keys(session.state.records)).not.toContain('f/F0~s.1');
  });

  test('keeps a request whose key was used, as long as it can be searched', () => {
    const session = new Driver();
    session.open('A');
    session.listed().sendFailed(156020, false).findNothing();
    expect(aliveUntil(session.state) - session.at).toBeGreaterThan(13 * DAY);
  });
});

describe('a request that comes again, because the session is lost', () => {
  const AGAIN = { mayBeSent: true, resent: {} } as const;
  const opened = (flow: string) => ({ effect: effectOf(flow, 1), call: 'updateUserPin' }) as const;
  const end = (flow: string) =>
    ({ type: 'awaitChallengeEnd', challengeId: 'c1', challengeType: 'CHANGE_PIN', opened: opened(flow) }) as const;

  test('is sent with its key when all flows have had the time to report their challenges', () => {
    const session = new Driver();
    session.open('A', { options: AGAIN });
    session.wait(5 * MINUTE);
    expect(session.wanted('list')).toEqual([]);
    session.wait(MINUTE).listed(['c1']);
    expect(session.wanted('send')[0]!.request.effect).toEqual(effectOf('A', 1));
  });

  test.each<[string, { call?: 'signUserMessage'; sentAgo?: number }]>([
    ['too old', { sentAgo: 61 * MINUTE }],
    ['without a key', { call: 'signUserMessage' }],
  ])('is looked up if it is %s', (_name, { sentAgo = 0, call }) => {
    const session = new Driver();
    const id = session.open('A', { call, options: { ...AGAIN, sentAt: session.at - sentAgo } });
    session
      .wait(6 * MINUTE)
      .listed()
      .findNothing();
    expect(session.wanted('send')).toEqual([]);
    expect(session.responses(id)).toEqual([{ id, failure: expect.objectContaining({ name: 'OutcomeUnknown' }) }]);
  });

  test('is not given the challenge of another flow, and waits for its end', () => {
    const session = new Driver();
    const second = session.open('B', { options: { ...AGAIN, sentAt: session.at - 61 * MINUTE } });
    session.wait(4 * MINUTE);
    const first = session.request('A', end('A'), AGAIN);
    session.wait(2 * MINUTE);
    expect(session.wanted('follow')).toHaveLength(1);
    session.ended('c1', 'COMPLETE').listed().findNothing();
    expect(session.responses(first)).toHaveLength(1);
    expect(session.responses(second)).toEqual([expect.objectContaining({ failure: expect.anything() })]);
  });

  test('as withdrawn is looked up, and stays unknown if nothing is found', () => {
    const session = new Driver();
    const id = session.open('A', { options: { ...AGAIN, resent: { withdrawn: true } } });
    session.wait(6 * MINUTE).listed();
    for (const ms of [3, 10, 30, 60, 180]) session.wait(ms * SECOND).listed();
    expect(session.responses(id)).toEqual([
      { id, failure: expect.objectContaining({ name: 'OutcomeUnknown', tainted: true }) },
    ]);
    expect(isIdle(session.state)).toBe(true);
  });

  test('is dropped by a session that knows it, which tells the flow again what prevents its user', () => {
    const session = new Driver();
    session.open('A');
    session.listed().sent('c1');
    const id = session.open('B');
    const count = session.notices;
    session.request('B', { type: 'readUser' }, { id, resent: {} });
    session.deliver();
    expect(session.notices).toBe(count + 1);
    expect(session.wanted('answer')).toEqual([]);
  });

  test.each([
    ['that the renewal is unknown, if a challenge is open', ['c2'], { id: 'c1', renewalUnknown: true }],
    ['its expiry, if nothing replaced it', [], { id: 'c1', status: 'EXPIRED' }],
  ])('for the end of a challenge that has expired gets %s', (_name, open, result) => {
    const session = new Driver();
    const id = session.request('A', end('A'), AGAIN);
    session
      .deliver()
      .ended('c1', 'EXPIRED')
      .wait(6 * MINUTE);
    if (open.length > 0) session.listed(open);
    else session.findNothing();
    expect(session.responses(id)).toEqual([{ id, value: expect.objectContaining(result) }]);
  });

  test('finds the end that a webhook has reported to the new session', () => {
    const session = new Driver();
    const update = { notificationId: 'n', id: 'c1', userId: 'u', type: 'CHANGE_PIN', correlationIds: [] };
    session.event({ type: 'update', update: { ...update, status: 'COMPLETE' } });
    const id = session.request('A', end('A'), AGAIN);
    session.deliver();
    expect(session.responses(id)).toEqual([{ id, value: expect.objectContaining({ status: 'COMPLETE' }) }]);
  });
});

describe('a withdrawn request', () => {
  const USED = 156020;

  test.each<[string, (session: Driver) => unknown, object]>([
    ['that the API refused', (session) => session.sendFailed(155201), { name: 'Withdrawn', tainted: false }],
    ['whose key the API knows', (session) => session.sendFailed(USED), { code: USED }],
    ['whose response is lost', (session) => session.sendFailed(), { kind: 'resolve', tainted: true }],
    [
      'that was sent again with a key that the API knows',
      (session) => session.sendFailed(USED, true),
      { code: USED, tainted: true },
    ],
    [
      'whose key the API knows because of a lock',
      (session) => {
        session.sendFailed(155119);
        session.event({ type: 'userRead', user: { status: 'ENABLED', pinStatus: 'ENABLED' } });
        session.wait(5 * SECOND).listed();
        return session.sendFailed(USED);
      },
      { name: 'Withdrawn' },
    ],
  ])('%s gets the right failure', (_name, fail, failure) => {
    const session = new Driver();
    const id = session.open('A');
    session.listed();
    fail(session);
    session.withdraw('A');
    session.listed();
    for (const ms of [3, 10, 30, 60, 180]) if (session.wait(ms * SECOND).wanted('list').length > 0) session.listed();
    expect(session.responses(id)).toEqual([{ id, failure: expect.objectContaining(failure) }]);
  });

  test('for the next challenge, whose response is lost, reports the expired one and that this is unknown', () => {
    const { session, end } = opened();
    session
      .ended('c1', 'EXPIRED')
      .wait(15 * SECOND)
      .listed();
    session.sendFailed();
    session.withdraw('A', 2);
    session.listed();
    for (const ms of [3, 10, 30, 60, 180]) session.wait(ms * SECOND).listed();
    expect(session.responses(end)).toMatchObject([{ value: { id: 'c1', renewalUnknown: true, ordinal: 2 } }]);
  });
});

describe('without its memory, the session asks the API', () => {
  test('for a request that it has not sent, and takes no open challenge for its own', () => {
    const session = new Driver();
    const id = session.request('A', {
      type: 'findChallenge',
      sent: { effect: effectOf('A', 1), call: 'updateUserPin' },
    });
    session.listed(['c1']);
    expect(session.responses(id)).toMatchObject([{ id, failure: { name: 'AmbiguousChallenges', tainted: true } }]);
  });

  test('before it sends a request after a reset, once the flows have reported', () => {
    const session = new Driver();
    session.open('A');
    session.listed(['c1'], 'run-2');
    expect(session.wanted('send')).toEqual([]);
    const end = session.request('A', {
      type: 'awaitChallengeEnd',
      challengeId: 'c1',
      challengeType: 'CHANGE_PIN',
      opened: { effect: effectOf('A', 1), call: 'updateUserPin' },
    });
    session.deliver().ended('c1', 'COMPLETE');
    expect(session.responses(end)).toHaveLength(1);
    expect(session.wait(6 * MINUTE).wanted('send')).toEqual([]);
  });

  test('and names the run that may send from then on', () => {
    const session = new Driver();
    session.open('A');
    session
      .listed([], 'run-2')
      .wait(6 * MINUTE)
      .listed([], 'run-2');
    expect(session.wanted('send')[0]!.request.effect).toEqual({ ...effectOf('A', 1), senderRunId: 'run-2' });
  });
});

describe('a response that a flow could not read', () => {
  const NOT_READ = { name: 'UnreadableResponse', kind: 'resolve', tainted: true };

  test('because its value is too large is a failure', () => {
    const session = new Driver();
    const requestId = session.request('A', { type: 'listWallets' });
    const value = Array.from({ length: 5_000 }, (_, n) => ({ id: `${n}`, name: 'x'.repeat(250) }));
    session.event({ type: 'answered', requestId, value }).deliver();
    const [response] = session.responses(requestId);
    expect(response).toMatchObject({ failure: { ...NOT_READ, remedy: expect.stringContaining('bytes') } });
    expect(readForm(sessionMessageForm, response).problem).toBeUndefined();
  });

  test('because a text of its failure is too long keeps what the failure means', () => {
    const session = new Driver();
    const requestId = session.request('A', { type: 'readUser' });
    const long = { ...failure(155201, true), remedy: 'x'.repeat(5_000) };
    session.event({ type: 'answerFailed', requestId, failure: long, tokensVersion: 0 }).deliver();
    const [response] = session.responses(requestId);
    expect(response).toMatchObject({ failure: { code: 155201, tainted: true, remedy: 'x'.repeat(4_096) } });
    expect(readForm(sessionMessageForm, response).problem).toBeUndefined();
  });
});

test('a read of a user that the API refuses because the user is disabled is not repeated before that changes', () => {
  const session = new Driver();
  const requestId = session.request('A', { type: 'readUser' });
  session.event({ type: 'answerFailed', requestId, failure: failure(155109, false), tokensVersion: 0 });
  expect(session.wanted('answer')).toEqual([]);
  session.event({ type: 'userEnabled' });
  expect(session.wanted('answer')).toHaveLength(1);
});
