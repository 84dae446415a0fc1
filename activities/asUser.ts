import { Context } from '@temporalio/activity';
import type { LoginTokens, UserAuth } from '../src/domain/userSession';
import type { ActivityDeps } from './deps';

/** Tokens as the API gave them, in this process only. */
export interface ClearTokens {
  userToken: string;
  encryptionKey: string;
  refreshToken?: string;
}

const FIELDS = ['userToken', 'encryptionKey', 'refreshToken'] as const;

/** Seals tokens for the session that is to own them: no other workflow's activity opens them. */
export async function sealTokens(
  { sealer }: Pick<ActivityDeps, 'sealer'>,
  session: string,
  tokens: ClearTokens,
): Promise<Pick<LoginTokens, (typeof FIELDS)[number]>> {
  const { userToken, encryptionKey, refreshToken } = tokens;
  const seal = (field: (typeof FIELDS)[number], value: string) => sealer.seal(value, { flow: session, field });
  return {
    userToken: await seal('userToken', userToken),
    encryptionKey: await seal('encryptionKey', encryptionKey),
    ...(refreshToken !== undefined && { refreshToken: await seal('refreshToken', refreshToken) }),
  };
}

/** @param session workflow id of the session that owns them; by default the workflow that this activity works for */
export async function openToken(
  { opener }: Pick<ActivityDeps, 'opener'>,
  tokens: LoginTokens,
  field: (typeof FIELDS)[number],
  session = Context.current().info.workflowExecution!.workflowId,
): Promise<string> {
  const sealed = tokens[field];
  if (!sealed) throw new TypeError(`The login gave no ${field}`);
  return opener.open(sealed, { flow: session, field });
}

/** Sends one request of a user, with the token that its session has or the API key can have. */
export async function asUser<T>(
  deps: Pick<ActivityDeps, 'userTokens' | 'opener'>,
  auth: UserAuth,
  send: (userToken: string) => Promise<T>,
): Promise<T> {
  if (auth.by === 'pin') return deps.userTokens.use(auth.userId, send);
  return send(await openToken(deps, auth.tokens, 'userToken'));
}
