import { findError } from '../api/errors';

export interface FieldError {
  error: string;
  message: string;
  location: string;
  invalidValue?: unknown;
  constraints?: Record<string, unknown>;
}

/** An answer of the API that is not a success: `{ code, message, errors? }` with the catalogue's status (api-facts 2). */
export class Refusal extends Error {
  readonly status: number;

  constructor(
    readonly code: number,
    options: { message?: string; status?: number; errors?: FieldError[]; retryAfterS?: number } = {},
  ) {
    const entry = findError(code);
    super(options.message ?? entry?.condition ?? `Error ${code}`);
    this.status = options.status ?? entry?.status ?? 400;
    this.errors = options.errors;
    this.retryAfterS = options.retryAfterS;
  }

  readonly errors: FieldError[] | undefined;
  /** Of a 429, in seconds; 1 without it: the window of a limit. */
  readonly retryAfterS: number | undefined;
}
