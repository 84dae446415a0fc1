import { findError } from '../../api/errors';

export interface FieldError {
  error: string;
  message: string;
  location: string;
  invalidValue?: unknown;
  constraints?: Record<string, unknown>;
}

/** An error response of the API, `{ code, message, errors? }`: docs/api-behavior.md#envelopes-errors-and-paging */
export class ApiErrorResponse extends Error {
  readonly status: number;

  constructor(
    readonly code: number,
    /** Default message and status: those of the catalogue's entry for the code. */
    options: { message?: string; status?: number; errors?: FieldError[]; retryAfterS?: number } = {},
  ) {
    const entry = findError(code);
    super(options.message ?? entry?.condition ?? `Error ${code}`);
    this.status = options.status ?? entry?.status ?? 400;
    this.errors = options.errors;
    this.retryAfterS = options.retryAfterS;
  }

  readonly errors: FieldError[] | undefined;
  /** For a 429: seconds until the next attempt. Default: 1, the window of a rate limit. */
  readonly retryAfterS: number | undefined;
}
