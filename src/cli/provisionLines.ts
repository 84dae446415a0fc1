import { fieldsOf, type ProvisionName, PROVISIONS } from '../domain/provisions';

/** Everything that can be provided, for `--help`. */
export function provisionLines(): string[] {
  return Object.keys(PROVISIONS).flatMap((what) => [
    what,
    ...Object.entries(fieldsOf(what as ProvisionName)).map(
      ([name, { optional, meaning }]) => `  ${name}${optional ? '?' : ''}: ${meaning}`,
    ),
  ]);
}
