/** For requests whose body is a JSON object. */
export const withBody = { schema: { body: { type: 'object' } } };

/** The sender's login token from the request. The workers verify it, so that no sender can act as another. */
export const tokenOf = ({ authorization = '' }: { authorization?: string }) => authorization.replace(/^Bearer /i, '');
