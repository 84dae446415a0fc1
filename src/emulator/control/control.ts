import type { z } from 'zod';
import type { WorldHosts } from '../http/worldHosts';
import type { World } from '../world/world';
import type { WorldRegistry } from '../world/worldRegistry';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Schema = z.ZodType | undefined;

/** What a control may use beyond its world. */
export interface EmulatorServices {
  worlds: WorldRegistry;
  hosts: WorldHosts;
}

/** A control: an endpoint of the emulator that reads or changes a world without going through the API. */
export interface Control<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema> {
  /** One line, shown by `GET /emulator/controls`. */
  summary: string;
  params?: P;
  query?: Q;
  body?: B;
  /** The control decrypts ciphertexts, so the entity's RSA key must exist before it runs. */
  needsEntityKey?: true;
  /** The state file does not record the control: its effect is saved in another way, or not at all. GETs are never recorded. */
  recorded?: false;
  /**
   * Makes all changes synchronously, before the first `await`. The returned or resolved value is the JSON body;
   * undefined is a 204.
   * @throws ApiErrorResponse
   */
  run(
    world: World,
    input: { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> },
    emulator: EmulatorServices,
  ): unknown;
}

/** Controls by method and path below `/emulator`: `'POST /transactions/{id}/stick'`. */
export type ControlTable = Readonly<Record<string, Control>>;

/** Gives `run` the types of the entry's schemas. */
export function control<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
  entry: Control<P, Q, B>,
): Control {
  return entry as unknown as Control;
}
