import { createLogger } from '../../../src/logger';
import { createMetrics } from '../../../src/metrics';
import { RefusedPolls } from '../../../src/temporal/refusedPolls';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a series of refused polls is one line, is over after 30 s without one, and each poll counts', async () => {
  const lines: { level: string }[] = [];
  const logger = createLogger({ destination: { write: (line) => void lines.push(JSON.parse(line) as never) } });
  const metrics = createMetrics();
  const polls = new RefusedPolls(logger, metrics);
  expect(polls.any).toBe(false);
  polls.add();
  jest.advanceTimersByTime(20_000);
  polls.add();
  jest.advanceTimersByTime(29_000);
  expect(polls.any).toBe(true);
  expect(lines.map(({ level }) => level)).toEqual(['error']);
  jest.advanceTimersByTime(1_000);
  expect(polls.any).toBe(false);
  polls.add();
  expect(lines.map(({ level }) => level)).toEqual(['error', 'info', 'error']);
  expect(await metrics.text()).toContain('walletflow_polls_refused_total 3');
});
