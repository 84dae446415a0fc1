/** How a caller authenticates: docs/api-behavior.md#authentication-and-the-entity-secret */
export const SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`PREFIX:ID:SECRET`; the prefix is TEST_API_KEY or LIVE_API_KEY',
  },
  userToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-User-Token',
    description: 'The user who acts; sent in addition to the API key',
  },
};

const ALTERNATIVES: Readonly<Record<string, readonly object[]>> = {
  none: [],
  userToken: [{ apiKey: [], userToken: [] }],
  optionalUserToken: [{ apiKey: [] }, { apiKey: [], userToken: [] }],
};

/** The security requirement of an endpoint's `auth`. The entity secret is not part of it: it is sent in the body. */
export function securityOf(auth: string): readonly object[] {
  return ALTERNATIVES[auth] ?? [{ apiKey: [] }];
}
