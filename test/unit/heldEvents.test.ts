import { type HeldEvent, NO_HELD_EVENTS, withHeldEvent } from '../../src/domain/heldEvents';

const held = (payload: unknown): HeldEvent => ({ id: 'transfer/a/2', at: '', type: 'ended', reason: '', payload });
const dead = (timestamp: string, status: string) => held({ timestamp, data: { status } });

test.each<[what: string, first: HeldEvent, second: HeldEvent, kept: 'first' | 'second']>([
  [
    'an event that a flow numbered again after its reset replaces the earlier one',
    dead('2026-11-29T10:00:00.000Z', 'failed'),
    dead('2026-11-29T11:00:00.000Z', 'completed'),
    'second',
  ],
  [
    'the same event is held once',
    dead('2026-11-29T10:00:00.000Z', 'failed'),
    dead('2026-11-29T10:00:00.000Z', 'failed'),
    'first',
  ],
  ['the same webhook is held once', held('{ "a": 1 }'), held('{ "a": 2 }'), 'first'],
  ['an entry without content stays', held(null), dead('2026-11-29T10:00:00.000Z', 'failed'), 'first'],
])('%s', (_what, first, second, kept) => {
  const { entries, dropped } = [first, second].reduce(withHeldEvent, NO_HELD_EVENTS);
  expect([entries, dropped]).toEqual([[kept === 'first' ? first : second], 0]);
});
