import { userInfo } from 'node:os';
import { loadConfig } from '../config';
import { type MessageName, SCOPES } from '../domain/messages';
import { mintToken } from '../identity/localIssuer';
import { UsageError } from './failure';
import { readText } from './json';
import type { Terminal } from './terminal';

/** Who sends a message to a flow: options of every command that does. */
export interface IdentityOptions {
  as?: string;
  tokenFile?: string;
}

/**
 * The token that a message is sent with: that of a file, or one that a local issuer makes for it.
 * @throws UsageError
 */
export async function tokenFor(
  terminal: Terminal,
  message: MessageName,
  { as, tokenFile }: IdentityOptions,
): Promise<string> {
  if (tokenFile === undefined) return mintFor(terminal, as, [SCOPES[message]]);
  if (as !== undefined) throw new UsageError('--as: says the same as --token-file; leave one out');
  return (tokenFile === '-' ? await terminal.input() : readText('--token-file', tokenFile)).trim();
}

/**
 * A token of the local issuer, in the name of whoever is logged in to this machine unless told otherwise.
 * @throws UsageError where no local issuer is configured
 */
export async function mintFor({ env }: Terminal, as = userInfo().username, scopes: readonly string[]): Promise<string> {
  const { localIssuer } = loadConfig(env, { role: 'backend' });
  if (localIssuer) return mintToken(localIssuer, as, { scopes });
  throw new UsageError(
    'token: there is no local issuer to make one; give a token of an issuer that the workers believe with --token-file, or ' +
      'set WALLETFLOW_LOCAL_ISSUER_FILE',
  );
}
