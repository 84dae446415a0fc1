import { ApiErrorResponse } from './apiErrorResponse';

/** Code 2 for a field whose value matches the schema but is not valid in this world. `errors` never repeats the value. */
export function invalidField(location: string, problem: string, error = 'invalid_value'): ApiErrorResponse {
  return new ApiErrorResponse(2, {
    message: 'API parameter invalid',
    errors: [{ error, message: `${location}: ${problem}`, location }],
  });
}
