/** A request whose body is an object of JSON. */
export const withBody = { schema: { body: { type: 'object' } } };

/** People bring the token of their login: the workers verify it, so that nobody acts in another's name. */
export const tokenOf = ({ authorization = '' }: { authorization?: string }) => authorization.replace(/^Bearer /i, '');
