import { connectFlows } from '../client/connectFlows';
import type { Priority, StartInput } from '../client/flowStarter';
import type { FlowName } from '../domain/flowNames';
import { UsageError } from './failure';
import { flowName } from './flowRef';
import { type IdentityOptions, initiatorToken } from './identity';
import { isObject, readJson } from './json';
import type { Terminal } from './terminal';

interface StartOptions extends IdentityOptions {
  input: string;
  ref?: string;
  policy?: string;
  priority?: Priority;
  json?: boolean;
}

/** The command does not know whether the workers trust issuers. */
const NO_TOKEN = 'No token: workers that trust issuers refuse this flow, and its ref stays taken; pass --token-file';

export async function run(
  terminal: Terminal,
  { input, json, as, tokenFile, ...options }: StartOptions,
  flow: string,
): Promise<void> {
  const name = flowName(flow);
  const flowInput = await readJson(terminal, '--input', input);
  if (!isObject(flowInput)) throw new UsageError('--input: must be a JSON object; write { "from": … }');
  const token = await initiatorToken(terminal, { as, tokenFile, input });
  const flows = await connectFlows({ env: terminal.env });
  try {
    // `start` checks the input and names each invalid field.
    const { workflowId, ref, created } = await flows[name].start(
      { ...flowInput, ...options } as StartInput<FlowName> as never,
      { token },
    );
    if (json) terminal.out(JSON.stringify({ workflowId, ref, created }));
    else terminal.out(`${name}/${ref}  ${created ? 'started' : 'already exists'}`);
    if (created && token === undefined) terminal.err(NO_TOKEN);
  } finally {
    await flows.close();
  }
}
