/** Said until the emulator answers again. */
export const UNREACHABLE = 'The emulator does not answer. Is it still running?';

/** A refusal of the emulator, in its own words, with its code. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  constructor(
    message: string,
    readonly code: number | undefined,
  ) {
    super(code === undefined ? message : `${code}: ${message}`);
  }
}

interface ErrorBody {
  code?: number;
  message?: string;
  errors?: { message: string }[];
}

/**
 * One call of the control API, for a world.
 * @throws ControlError
 */
export async function call<Answer>(
  world: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`/emulator${path}`, {
    method,
    headers: { ...(world !== undefined && { 'x-emulator-world': world }), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ControlError(UNREACHABLE, undefined);
  });
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return answer as Answer;
  const { code, message = `HTTP ${response.status}`, errors = [] } = (answer ?? {}) as ErrorBody;
  throw new ControlError([message, ...errors.map((error) => error.message)].join(': '), code);
}
