import { userInfo } from 'node:os';
import { loadConfig } from '../config';
import { type ActorAction, SCOPES } from '../domain/messages';
import { mintToken } from '../identity/localIssuer';
import { UsageError } from './failure';
import { readText } from './json';
import type { Terminal } from './terminal';

/** Who starts a flow or sends a message to it. Options of every command that does. */
export interface IdentityOptions {
  as?: string;
  tokenFile?: string;
  /** The file of `--input`, of commands that have it. */
  input?: string;
}

/**
 * The token for a start or a message: from the token file, or issued by the local issuer for this action only.
 * @throws UsageError
 */
export async function tokenFor(
  terminal: Terminal,
  action: ActorAction,
  { as, tokenFile, input }: IdentityOptions,
): Promise<string> {
  if (tokenFile === undefined) return mintFor(terminal, as, [SCOPES[action]]);
  if (as !== undefined) throw new UsageError('--as: conflicts with --token-file; use one of them');
  if (tokenFile === '-' && input === '-')
    throw new UsageError('--token-file: --input already reads standard input; use a file for one of them');
  const token = (tokenFile === '-' ? await terminal.input() : readText('--token-file', tokenFile)).trim();
  if (token) return token;
  throw new UsageError(`--token-file: ${tokenFile === '-' ? 'standard input' : tokenFile} is empty; put a JWT into it`);
}

/**
 * The token for a start. Returns undefined without options and without a local issuer. Workers accept a start without a
 * token only if they trust no issuer.
 * @throws UsageError
 */
export async function initiatorToken(terminal: Terminal, options: IdentityOptions): Promise<string | undefined> {
  const { as, tokenFile } = options;
  const isConfigured = loadConfig(terminal.env, { role: 'backend' }).localIssuer !== undefined;
  if (as === undefined && tokenFile === undefined && !isConfigured) return undefined;
  return tokenFor(terminal, 'start', options);
}

/**
 * A token from the local issuer.
 * @param as its subject; default: the login name on this machine
 * @throws UsageError if the name is empty, or no local issuer is configured
 */
export async function mintFor({ env }: Terminal, as = userInfo().username, scopes: readonly string[]): Promise<string> {
  if (as.trim() === '') throw new UsageError('--as: is empty; give a name');
  const { localIssuer } = loadConfig(env, { role: 'backend' });
  if (localIssuer) return mintToken(localIssuer, as, { scopes });
  throw new UsageError(
    'token: no local issuer is configured; pass a token of an issuer that the workers trust with --token-file, or set ' +
      'WALLETFLOW_LOCAL_ISSUER_FILE',
  );
}
