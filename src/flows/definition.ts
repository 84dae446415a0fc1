import type { z } from 'zod';
import type { Sealed } from '../domain/sealed';

/**
 * What a flow takes, as data. `R` is the type of the result that it reports when completed, `F` the names of its sealed
 * fields.
 */
export interface FlowDefinition<S extends z.ZodType, _R, F extends string = never> {
  /** Checks the input in `start`. The workflow receives the parsed value. */
  input: S;
  /** What a schema cannot check. Returns `[field, problem and remedy]` for each problem. */
  check?: (input: z.output<S>) => readonly (readonly [field: string, problem: string])[];
  /** Fields with secrets or personal data. `start` seals those that arrive in clear text. */
  sealed?: readonly F[];
}

/** The input as the workflow receives it, with the fields of `sealed` sealed. */
export type SealedInput<I, F extends string> = I extends unknown
  ? { [K in keyof I]: K extends F ? Exclude<I[K], string> & Sealed : I[K] }
  : never;

/** Curried, so that the result type can be given explicitly while the schema type is inferred. */
export function defineFlow<R>() {
  return <S extends z.ZodType, F extends string = never>(
    definition: FlowDefinition<S, R, F>,
  ): FlowDefinition<S, R, F> => definition;
}
