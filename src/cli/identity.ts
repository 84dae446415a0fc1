import { userInfo } from 'node:os';
import { loadConfig } from '../config';
import { type MessageName, SCOPES } from '../domain/messages';
import { mintToken } from '../identity/localIssuer';
import { UsageError } from './failure';
import { readText } from './json';
import type { Terminal } from './terminal';

/** Who sends a message to a flow. Options of every command that sends one. */
export interface IdentityOptions {
  as?: string;
  tokenFile?: string;
}

/**
 * The token for a message: from the token file, or issued by the local issuer for this message only.
 * @throws UsageError
 */
export async function tokenFor(
  terminal: Terminal,
  message: MessageName,
  { as, tokenFile }: IdentityOptions,
): Promise<string> {
  if (tokenFile === undefined) return mintFor(terminal, as, [SCOPES[message]]);
  if (as !== undefined) throw new UsageError('--as: conflicts with --token-file; use one of them');
  return (tokenFile === '-' ? await terminal.input() : readText('--token-file', tokenFile)).trim();
}

/**
 * A token from the local issuer.
 * @param as its subject; default: the login name on this machine
 * @throws UsageError if no local issuer is configured
 */
export async function mintFor({ env }: Terminal, as = userInfo().username, scopes: readonly string[]): Promise<string> {
  const { localIssuer } = loadConfig(env, { role: 'backend' });
  if (localIssuer) return mintToken(localIssuer, as, { scopes });
  throw new UsageError(
    'token: no local issuer is configured; pass a token of an issuer that the workers trust with --token-file, or set ' +
      'WALLETFLOW_LOCAL_ISSUER_FILE',
  );
}
