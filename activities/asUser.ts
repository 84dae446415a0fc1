import { Context } from '@temporalio/activity';
import type { LoginTokens, UserAuth } from '../src/domain/userSession';
import type { ActivityDeps } from './deps';

/** Tokens in clear text. They never leave this process. */
export interface PlaintextTokens {
  userToken: string;
  encryptionKey: string;
  refreshToken?: string;
}

const TOKEN_FIELDS = ['userToken', 'encryptionKey', 'refreshToken'] as const;

/**
 * Seals tokens for a session. Activities of other workflows cannot open them.
 * @param session workflow id of the session
 */
export async function sealTokens(
  { sealer }: Pick<ActivityDeps, 'sealer'>,
  session: string,
  tokens: PlaintextTokens,
): Promise<Pick<LoginTokens, (typeof TOKEN_FIELDS)[number]>> {
  const { userToken, encryptionKey, refreshToken } = tokens;
  const seal = (field: (typeof TOKEN_FIELDS)[number], value: string) => sealer.seal(value, { flow: session, field });
  return {
    userToken: await seal('userToken', userToken),
    encryptionKey: await seal('encryptionKey', encryptionKey),
    ...(refreshToken !== undefined && { refreshToken: await seal('refreshToken', refreshToken) }),
  };
}

/** @param session workflow id of the session that the tokens are sealed for; by default the workflow of this activity */
export async function openToken(
  { opener }: Pick<ActivityDeps, 'opener'>,
  tokens: LoginTokens,
  field: (typeof TOKEN_FIELDS)[number],
  session = Context.current().info.workflowExecution!.workflowId,
): Promise<string> {
  const sealed = tokens[field];
  if (!sealed) throw new TypeError(`The tokens of the login have no ${field}`);
  return opener.open(sealed, { flow: session, field });
}

/**
 * Sends a request with a user token. For a user with a PIN, the API issues the token in exchange for the API key.
 * Otherwise the token comes from the login.
 */
export async function asUser<T>(
  deps: Pick<ActivityDeps, 'userTokens' | 'opener'>,
  auth: UserAuth,
  send: (userToken: string) => Promise<T>,
): Promise<T> {
  if (auth.method === 'pin') return deps.userTokens.use(auth.userId, send);
  return send(await openToken(deps, auth.tokens, 'userToken'));
}
