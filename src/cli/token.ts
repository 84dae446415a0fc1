import { SCOPES } from '../domain/messages';
import { type IdentityOptions, mintFor } from './identity';
import type { Terminal } from './terminal';

/** Prints a token of somebody, for programs that speak to flows on this machine. */
export async function run(terminal: Terminal, { as }: Pick<IdentityOptions, 'as'>): Promise<void> {
  terminal.out(await mintFor(terminal, as, Object.values(SCOPES)));
}
