import { INPUT_REQUESTS, inputRequestFields, type InputRequestName, isInputRequestName } from '../domain/inputRequests';

/** All inputs that flows may ask for, with their fields, for `provide --help`. */
export function inputRequestHelp(): string[] {
  return Object.keys(INPUT_REQUESTS).flatMap((name) => [
    name,
    ...Object.entries(inputRequestFields(name as InputRequestName)).map(
      ([field, { optional, meaning }]) => `  ${field}${optional ? '?' : ''}: ${meaning}`,
    ),
  ]);
}

/**
 * The command that provides an input, with its required fields: `… clientError --field code=…`. Secret fields come in a
 * file: `… tokens --input FILE (JSON: userToken, encryptionKey)`.
 * @param name as the flow shows it; newer workers may know inputs that this command does not
 */
export function provideCommand(flowRef: string, name: string): string {
  const required = Object.entries(isInputRequestName(name) ? inputRequestFields(name) : {}).filter(
    ([, { optional }]) => !optional,
  );
  const secret = required.filter(([, { type }]) => type === 'secret').map(([field]) => field);
  const plain = required.filter(([, { type }]) => type !== 'secret').map(([field]) => ` --field ${field}=…`);
  const file = secret.length > 0 ? ` --input FILE (JSON: ${secret.join(', ')})` : '';
  return `npx walletflow provide ${flowRef} ${name}${plain.join('')}${file}`;
}
