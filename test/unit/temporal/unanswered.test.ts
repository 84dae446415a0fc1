import { isGrpcServiceError } from '@temporalio/client';
import { FIXED_WORKER, unansweredBy } from '../../../src/temporal/unanswered';

const DEADLINE_EXCEEDED = 4;
const FAILED_PRECONDITION = 9;

const rejection = (code: number, details: string) =>
  Object.assign(new Error(details), { code, details, metadata: {}, name: 'GrpcError' });

describe('why nobody answered a query', () => {
  test('the errors are those of the server', () => {
    expect(isGrpcServiceError(rejection(FAILED_PRECONDITION, 'x'))).toBe(true);
  });

  test.each([
    [FAILED_PRECONDITION, 'no poller seen for task queue recently, worker may be down', 'a worker: none responded'],
    [FAILED_PRECONDITION, 'Cannot query workflow due to Workflow Task in failed state.', FIXED_WORKER],
    [FAILED_PRECONDITION, 'Workflow execution closed before WorkflowTaskStarted event', 'a worker: none responded'],
    [DEADLINE_EXCEEDED, 'context deadline exceeded', 'a worker: none responded'],
    [14, 'unavailable', undefined],
  ])('code %d, %s', (code, details, why) => {
    expect(unansweredBy(rejection(code, details))).toBe(why);
    expect(unansweredBy(new Error('wrapped', { cause: rejection(code, details) }))).toBe(why);
  });
});
