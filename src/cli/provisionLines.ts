import { fieldsOf, isProvisionName, type ProvisionName, PROVISIONS } from '../domain/provisions';

/** Everything that can be provided, for `--help`. */
export function provisionLines(): string[] {
  return Object.keys(PROVISIONS).flatMap((what) => [
    what,
    ...Object.entries(fieldsOf(what as ProvisionName)).map(
      ([name, { optional, meaning }]) => `  ${name}${optional ? '?' : ''}: ${meaning}`,
    ),
  ]);
}

/**
 * The command that provides something, with the fields that it needs: `… clientError --field code=…`. What is secret comes
 * in a file: `… tokens --input FILE (JSON: userToken, encryptionKey)`.
 * @param what as the flow shows it; workers may know more than this command
 */
export function provideCommand(flowRef: string, what: string): string {
  const needed = Object.entries(isProvisionName(what) ? fieldsOf(what) : {}).filter(([, { optional }]) => !optional);
  const secret = needed.filter(([, { type }]) => type === 'secret').map(([name]) => name);
  const plain = needed.filter(([, { type }]) => type !== 'secret').map(([name]) => ` --field ${name}=…`);
  const file = secret.length > 0 ? ` --input FILE (JSON: ${secret.join(', ')})` : '';
  return `npx walletflow provide ${flowRef} ${what}${plain.join('')}${file}`;
}
