import { fieldsOf, isProvisionName, type ProvisionField, type ProvisionName, PROVISIONS } from '../domain/provisions';
import { UsageError } from './failure';
import { withFlow } from './flowRef';
import { type IdentityOptions, tokenFor } from './identity';
import { isObject, readJson } from './json';
import type { Terminal } from './terminal';

interface ProvideOptions extends IdentityOptions {
  input?: string;
  field?: string[];
  id?: string;
  json?: boolean;
}

export async function run(terminal: Terminal, options: ProvideOptions, flowRef: string, what: string): Promise<void> {
  const { id, json } = options;
  if (!isProvisionName(what)) {
    throw new UsageError(
      `what: there is nothing ${JSON.stringify(what)}; choose one of ${Object.keys(PROVISIONS).join(', ')}`,
    );
  }
  // Checked by `provide` itself, which names every field.
  const data = (await dataOf(terminal, what, options)) as never;
  const token = await tokenFor(terminal, 'provide', options);
  const provided = await withFlow(terminal, flowRef, (handle) =>
    handle.provide(what, data, { token, ...(id && { id }) }),
  );
  if (json) terminal.out(JSON.stringify(provided));
  else terminal.out(`${flowRef}  ${provided.what}, provided by ${provided.by.subject}`);
}

/** A file for what is secret, single fields for the rest: a command line can be read by others on the machine. */
async function dataOf(terminal: Terminal, what: ProvisionName, { input, field = [] }: ProvideOptions): Promise<object> {
  const given = input === undefined ? {} : await readJson(terminal, '--input', input);
  if (!isObject(given)) throw new UsageError('--input: must be a JSON object; write { "<field>": … }');
  const fields = fieldsOf(what);
  return { ...given, ...Object.fromEntries(field.map((text) => fieldOf(fields, text))) };
}

function fieldOf(fields: Readonly<Record<string, ProvisionField>>, text: string): [name: string, value: unknown] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError('--field: is not of this form; write name=value');
  const type = fields[name]?.type;
  if (type === 'secret')
    throw new UsageError(`--field ${name}: is secret; write it into a file and give that with --input`);
  return [name, type === 'whole number' && /^-?\d+$/.test(value) ? Number(value) : value];
}
