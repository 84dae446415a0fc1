import type { z } from 'zod';
import { findEndpoint, OPERATION_IDS, type OperationId } from '../../../src/api/contract';
import type { Idempotency } from '../../../src/api/contract/endpoint';
import { API_ACTIVITIES, type ApiActivity, type CallMode } from '../../../src/domain/activityTable';
import { CHALLENGE_CALL_NAMES, CHALLENGE_CALLS } from '../../../src/domain/challengeCalls';

/**
 * The modes that an activity may have, by what the contract says about sending the request of its endpoint again. A
 * `read` of an endpoint with an effect would repeat the effect; `keyed` without a key would repeat it as well.
 */
const ALLOWED_MODES: Record<Idempotency, readonly CallMode[]> = {
  repeatable: ['read', 'poll'],
  key: ['keyed'],
  natural: ['keyed'],
  none: ['unkeyed'],
};

const ACTIVITIES = Object.entries(API_ACTIVITIES).map(([name, row]): [string, ApiActivity] => [name, row]);

test.each(ACTIVITIES)('%s has a mode that fits its endpoint: %j', (_name, { endpoint, mode }) => {
  expect(OPERATION_IDS).toContain(endpoint);
  expect(ALLOWED_MODES[findEndpoint(endpoint as OperationId).idempotency]).toContain(mode);
});

test.each(ACTIVITIES.filter(([, { mode }]) => mode === 'poll'))('%s polls with GET', (_name, { endpoint }) => {
  expect(findEndpoint(endpoint as OperationId).method).toBe('GET');
});

const shapeOf = (schema: unknown) => (schema as z.ZodObject).shape as z.ZodRawShape;

describe.each(CHALLENGE_CALL_NAMES)('%s', (call) => {
  const { body, response } = findEndpoint(call);

  test('opens a challenge', () => {
    expect(shapeOf(shapeOf(response).data)).toHaveProperty('challengeId');
  });

  test('sends the fields that identify its effect, if the body has them', () => {
    const fields = ['idempotencyKey', 'refId'].filter((field) => field in shapeOf(body));
    expect(CHALLENGE_CALLS[call].effectFields).toEqual(fields);
  });
});
