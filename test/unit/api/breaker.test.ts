import { Breaker, type Incident } from '../../../src/api/breaker';
import type { Auth } from '../../../src/api/contract/endpoint';

const FAILURE = { code: 156007, remedy: 'm' };
const AUTH: Record<string, Auth> = { write: 'entitySecret', open: 'none' };
const SECRET = { code: 156013, remedy: 'm' };

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

  test('however many requests see it, it is one incident, and nothing is sent until the probe is due', () => {
    expect(breaker.admit('a')).toBe('free');
    for (let request = 0; request < 50; request++) breaker.tripped('free', FAILURE);
    expect(opened).toHaveLength(1);
    expect(breaker.mayTake('a')).toBe(false);
    expect(breaker.admit('a')).toBeUndefined();
  });

  test('what takes no credentials goes on, and proves nothing', () => {
    breaker.tripped('free', FAILURE);
    expect(breaker.mayTake('open')).toBe(true);
    jest.advanceTimersByTime(2_000);
    expect([breaker.admit('open'), breaker.admit('a')]).toEqual(['free', 'probe']);
  });

  test('one probe at a time, from any bucket; each that fails doubles the wait, up to a minute', () => {
    breaker.tripped('free', FAILURE);
    let wait = 2_000;
    for (let probe = 0; probe < 8; probe++) {
      jest.advanceTimersByTime(wait - 1);
      expect(breaker.mayTake('a')).toBe(false);
      jest.advanceTimersByTime(1);
      expect([breaker.mayTake('a'), breaker.mayTake('a'), breaker.mayTake('b')]).toEqual([true, false, true]);
      expect([breaker.admit('b'), breaker.admit('a')]).toEqual(['probe', undefined]);
      expect(breaker.mayTake('c')).toBe(false);
      breaker.tripped('probe', FAILURE);
      wait = Math.min(wait * 2, 60_000);
      expect(breaker.retryDelayMs).toBe(wait);
    }
    expect(opened).toHaveLength(1);
  });

  test('only the probe ends it: answers to earlier requests prove nothing', () => {
    breaker.tripped('free', FAILURE);
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

  test('a probe without an answer is followed by another; a permit that came back unused is given again', () => {
    breaker.tripped('free', FAILURE);
    jest.advanceTimersByTime(2_000);
    breaker.undecided(breaker.admit('a')!);
    jest.advanceTimersByTime(4_000);
    expect(breaker.mayTake('a')).toBe(true);
    breaker.unused('a');
    expect(breaker.mayTake('a')).toBe(true);
    expect(breaker.admit('a')).toBe('probe');
  });

  test('a broken entity secret stops what needs it; reads go on and prove nothing', () => {
    breaker.tripped('free', SECRET);
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
    // One that turns out to be the key's stops everything.
    breaker.tripped('free', SECRET);
    breaker.tripped('free', FAILURE);
    expect(breaker.admit('read')).toBeUndefined();
  });

  test('whoever waits is told when a probe is due and when it is over', () => {
    const told = jest.fn();
    breaker.onChange(told);
    breaker.tripped('free', FAILURE);
    jest.advanceTimersByTime(2_001);
    expect(told).toHaveBeenCalledTimes(1);
    breaker.passed(breaker.admit('a')!);
    expect(told).toHaveBeenCalledTimes(2);
  });
});
