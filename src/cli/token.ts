import { SCOPES } from '../domain/messages';
import { type IdentityOptions, mintFor } from './identity';
import type { Terminal } from './terminal';

/** Prints a token for all message scopes, for programs on this machine that send messages to flows. */
export async function run(terminal: Terminal, { as }: Pick<IdentityOptions, 'as'>): Promise<void> {
  terminal.out(await mintFor(terminal, as, Object.values(SCOPES)));
}
