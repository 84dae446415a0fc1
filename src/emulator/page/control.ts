/** Shown until the emulator responds again. */
export const UNREACHABLE = 'The emulator does not respond. Is it still running?';

/** An error response of the emulator, with its message and code. */
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
 * Calls the control API for a world.
 * @throws ControlError
 */
export async function call<ResponseBody>(
  world: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<ResponseBody> {
  const response = await fetch(`/emulator${path}`, {
    method,
    headers: { ...(world !== undefined && { 'x-emulator-world': world }), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ControlError(UNREACHABLE, undefined);
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return json as ResponseBody;
  const { code, message = `HTTP ${response.status}`, errors = [] } = (json ?? {}) as ErrorBody;
  throw new ControlError([message, ...errors.map((error) => error.message)].join(': '), code);
}
