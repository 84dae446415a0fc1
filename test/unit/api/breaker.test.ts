import { Breaker, type Incident } from '../../../src/api/breaker';
import type { Auth } from '../../../src/api/contract/endpoint';

const KEY_FAILURE = { code: 156007, remedy: 'm' };
const AUTH: Record<string, Auth> = { write: 'entitySecret', open: 'none' };
const SECRET_FAILURE = { code: 156013, remedy: 'm' };

describe('the breaker of an entity', () => {
  let opened: Incident[];
  let closed: Incident[];
  let breaker: Breaker;

  beforeEach(() => {
    jest.useFakeTimers();
    opened = [];
    closed = [];
    breaker = new Breaker(
      'acme',
      { opened: (i) => void opened.push(i), closed: (i) => void closed.push(i) },
      (endpoint) => AUTH[endpoint] ?? 'apiKey',
    );
  });
  afterEach(() => jest.useRealTimers());

  test('fifty failed requests open one incident, and nothing is sent until the probe is due', () => {
    expect(breaker.admit('a')).toBe('free');
    for (let request = 0; request < 50; request++) breaker.tripped('free', KEY_FAILURE);
    expect(opened).toHaveLength(1);
    expect(breaker.mayTake('a')).toBe(false);
    expect(breaker.admit('a')).toBeUndefined();
  });

  test('requests without credentials continue and do not count as probe', () => {
    breaker.tripped('free', KEY_FAILURE);
    expect(breaker.mayTake('open')).toBe(true);
    jest.advanceTimersByTime(2_000);
    expect([breaker.admit('open'), breaker.admit('a')]).toEqual(['free', 'probe']);
  });

  test('one probe runs at a time, from any bucket, and each failed probe doubles the wait up to a minute', () => {
    breaker.tripped('free', KEY_FAILURE);
    let wait = 2_000;
    for (let probe = 0; probe < 8; probe++) {
      jest.advanceTimersByTime(wait - 1);
      expect(breaker.mayTake('a')).toBe(false);
      jest.advanceTimersByTime(1);
      expect([breaker.mayTake('a'), breaker.mayTake('a'), breaker.mayTake('b')]).toEqual([true, false, true]);
      expect([breaker.admit('b'), breaker.admit('a')]).toEqual(['probe', undefined]);
      expect(breaker.mayTake('c')).toBe(false);
      breaker.tripped('probe', KEY_FAILURE);
      wait = Math.min(wait * 2, 60_000);
      expect(breaker.retryDelayMs).toBe(wait);
    }
    expect(opened).toHaveLength(1);
  });

  test('only a successful probe closes the incident, not responses to earlier requests', () => {
    breaker.tripped('free', KEY_FAILURE);
    breaker.passed('free');
    expect(closed).toHaveLength(0);
    jest.advanceTimersByTime(2_000);
    const probe = breaker.admit('a')!;
    breaker.passed('free');
    expect(closed).toHaveLength(0);
    breaker.passed(probe);
    expect(closed).toEqual(opened);
    expect([breaker.admit('a'), breaker.mayTake('b')]).toEqual(['free', true]);
  });

  test('a probe without a response is followed by another, and an unused permit can be taken again', () => {
    breaker.tripped('free', KEY_FAILURE);
    jest.advanceTimersByTime(2_000);
    breaker.inconclusive(breaker.admit('a')!);
    jest.advanceTimersByTime(4_000);
    expect(breaker.mayTake('a')).toBe(true);
    breaker.releaseHold('a');
    expect(breaker.mayTake('a')).toBe(true);
    expect(breaker.admit('a')).toBe('probe');
  });

  test('an invalid entity secret stops only requests that need it, and reads do not close the incident', () => {
    breaker.tripped('free', SECRET_FAILURE);
    expect([breaker.admit('read'), breaker.mayTake('read'), breaker.admit('write'), breaker.mayTake('write')]).toEqual([
      'free',
      true,
      undefined,
      false,
    ]);
    jest.advanceTimersByTime(2_000);
    breaker.passed(breaker.admit('read')!);
    expect(closed).toHaveLength(0);
    breaker.passed(breaker.admit('write')!);
    expect(closed).toEqual(opened);
    // An incident that turns out to concern the API key stops everything.
    breaker.tripped('free', SECRET_FAILURE);
    breaker.tripped('free', KEY_FAILURE);
    expect(breaker.admit('read')).toBeUndefined();
  });

  test('listeners are notified when a probe is due and when the incident is over', () => {
    const listener = jest.fn();
    breaker.onChange(listener);
    breaker.tripped('free', KEY_FAILURE);
    jest.advanceTimersByTime(2_001);
    expect(listener).toHaveBeenCalledTimes(1);
    breaker.passed(breaker.admit('a')!);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
