import type { z } from 'zod';
import type { World } from '../world';
import type { OwnHosts } from '../ownHosts';
import type { Worlds } from '../worlds';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Schema = z.ZodType | undefined;

/** What a control may need beyond its world. */
export interface Whole {
  worlds: Worlds;
  hosts: OwnHosts;
}

/** One control: something of a world that its user can see or change from outside the API. */
export interface Control<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema> {
  /** One line for the list of controls. */
  summary: string;
  params?: P;
  query?: Q;
  body?: B;
  /** It opens ciphertexts: the entity's key has to be made first. */
  needsEntityKey?: true;
  /** Not an input of the world: what it does is kept in another way, or not at all. Reads never are. */
  recorded?: false;
  /**
   * Whatever it changes it changes at once, before what it promises. What it returns, or promises, is the JSON answer;
   * nothing is 204. @throws Refusal
   */
  run(world: World, given: { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> }, emulator: Whole): unknown;
}

/** Controls by method and path below `/emulator`: `'POST /transactions/{id}/stick'`. */
export type ControlTable = Readonly<Record<string, Control>>;

/** Types an entry: `run` sees the types of its schemas. */
export function control<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
  entry: Control<P, Q, B>,
): Control {
  return entry as unknown as Control;
}
