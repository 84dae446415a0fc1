import {
  INPUT_REQUESTS,
  type InputRequestField,
  inputRequestFields,
  type InputRequestName,
  isInputRequestName,
} from '../domain/inputRequests';
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

export async function run(terminal: Terminal, options: ProvideOptions, flowRef: string, name: string): Promise<void> {
  const { id, json } = options;
  if (!isInputRequestName(name)) {
    throw new UsageError(
      `name: there is no input ${JSON.stringify(name)}; choose one of ${Object.keys(INPUT_REQUESTS).join(', ')}`,
    );
  }
  // `provide` checks the data and names each invalid field.
  const data = (await dataOf(terminal, name, options)) as never;
  const token = await tokenFor(terminal, 'provide', options);
  const provided = await withFlow(terminal, flowRef, (handle) =>
    handle.provide(name, data, { token, ...(id && { id }) }),
  );
  if (json) terminal.out(JSON.stringify(provided));
  else terminal.out(`${flowRef}  ${provided.name}, provided by ${provided.by.subject}`);
}

/** Secret fields must come from the file, because other users of the machine can read a command line. */
async function dataOf(
  terminal: Terminal,
  name: InputRequestName,
  { input, field = [] }: ProvideOptions,
): Promise<object> {
  const fileFields = input === undefined ? {} : await readJson(terminal, '--input', input);
  if (!isObject(fileFields)) throw new UsageError('--input: must be a JSON object; write { "<field>": … }');
  const fields = inputRequestFields(name);
  return { ...fileFields, ...Object.fromEntries(field.map((text) => fieldOf(fields, text))) };
}

function fieldOf(fields: Readonly<Record<string, InputRequestField>>, text: string): [name: string, value: unknown] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError('--field: is not a pair; write name=value');
  const type = fields[name]?.type;
  if (type === 'secret')
    throw new UsageError(`--field ${name}: is secret; put it in a file and pass the file with --input`);
  return [name, type === 'whole number' && /^-?\d+$/.test(value) ? Number(value) : value];
}
