import { Refusal } from './refusal';

/** A field whose value fits the schema and not the world: code 2 with its entry of `errors`, which never holds the value. */
export function fieldRefusal(location: string, problem: string, error = 'invalid_value'): Refusal {
  return new Refusal(2, {
    message: 'API parameter invalid',
    errors: [{ error, message: `${location}: ${problem}`, location }],
  });
}
