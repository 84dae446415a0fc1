/** For requests whose body is a JSON object. */
export const withBody = { schema: { body: { type: 'object' } } };

/** The caller's login token from the request. The workers verify it, so that no caller can act as another. */
export const tokenOf = ({ authorization = '' }: { authorization?: string }) => authorization.replace(/^Bearer /i, '');
