import type { Endpoint } from '../../api/contract/endpoint';
import { findError } from '../../api/errors';
import type { Schemas } from './schemas';

/** Codes of every endpoint with credentials: invalid parameter, no key, unknown key, access denied, rate limit. */
const COMMON_CODES = [2, 401, 156007, 3, 429];
const WITH_KEY = [156020];
const WITH_SECRET = [156004, 156013, 156016, 156019];

const errorBody = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });
const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** The `responses` of an operation: success, and for each status its error codes with their conditions. */
export function responsesOf(schemas: Schemas, id: string, endpoint: Endpoint): Record<string, object> {
  const { query, summary, response } = endpoint;
  const content = schemas.response(id, endpoint);
  const isList = query !== undefined && schemas.names(query).includes('pageAfter');
  const errors = errorBody(endpoint.limit === 'attestation' ? 'AttestationError' : 'Error');
  const byStatus = new Map<number, string[]>();
  for (const code of codesOf(endpoint)) {
    const error = findError(code);
    if (!error) continue;
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), `- \`${code}\` ${error.condition}`]);
  }
  return {
    '2XX': {
      description: response ? summary : 'Done; the response has no body',
      headers: { ...REQUEST_ID, ...(isList && { Link: { $ref: '#/components/headers/Link' } }) },
      ...(content && { content }),
    },
    ...Object.fromEntries(
      [...byStatus].map(([status, lines]) => [
        status,
        {
          description: lines.join('\n'),
          headers: {
            ...REQUEST_ID,
            ...(status === 429 && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
          },
          content: errors,
        },
      ]),
    ),
    default: { description: 'Any other error', headers: REQUEST_ID, content: errors },
  };
}

function codesOf({ auth, limit, idempotency, rules = [], errors = [] }: Endpoint): Set<number> {
  return new Set([
    ...(auth === 'none' ? (limit === 'unlimited' ? [] : [429]) : COMMON_CODES),
    ...(auth === 'entitySecret' ? WITH_SECRET : []),
    ...(idempotency === 'key' ? WITH_KEY : []),
    ...rules.map(([code]) => code),
    ...errors,
  ]);
}
