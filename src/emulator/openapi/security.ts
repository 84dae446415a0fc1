/** How a caller says who it is (api-facts 1). */
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
    description: 'The user who acts, beside the API key',
  },
};

const ALTERNATIVES: Readonly<Record<string, readonly object[]>> = {
  none: [],
  userToken: [{ apiKey: [], userToken: [] }],
  anyUser: [{ apiKey: [] }, { apiKey: [], userToken: [] }],
};

/** By `auth` of an endpoint; the entity secret goes in the body. */
export function securityOf(auth: string): readonly object[] {
  return ALTERNATIVES[auth] ?? [{ apiKey: [] }];
}
