import { FlowRefusedError } from '../client/errors';
import type { FlowHandle } from '../client/flowHandle';
import { UsageError } from './failure';
import { withFlow } from './flowRef';
import { type IdentityOptions, tokenFor } from './identity';
import type { Terminal } from './terminal';

interface DecideOptions extends IdentityOptions {
  attention?: string;
  id?: string;
  json?: boolean;
}

export async function run(
  terminal: Terminal,
  { attention, id, json, ...identity }: DecideOptions,
  flowRef: string,
  choice: string,
): Promise<void> {
  const token = await tokenFor(terminal, 'decide', identity);
  const decision = await withFlow(terminal, flowRef, async (handle) => {
    // Without `--attention`, the choice is for what the flow asks now.
    const question = attention ?? (await handle.progress()).attention?.id;
    return handle.decide(choice, { token, attention: question, ...(id && { id }) }).catch(async (error: unknown) => {
      throw (error instanceof FlowRefusedError && (await choiceProblem(handle, choice))) || error;
    });
  });
  if (json) terminal.out(JSON.stringify(decision));
  else terminal.out(`${flowRef}  ${decision.choice}, decided by ${decision.by.subject}`);
}

/** A choice that the flow does not offer is a mistake of the command line, like an unknown input of `provide`. */
async function choiceProblem(handle: FlowHandle<unknown>, choice: string): Promise<UsageError | undefined> {
  const choices = (await handle.progress()).attention?.options.map((option) => option.choice) ?? [];
  if (choices.length === 0 || choices.includes(choice)) return undefined;
  return new UsageError(
    `choice: the flow does not offer ${JSON.stringify(choice)}; choose one of ${choices.join(', ')}`,
  );
}
