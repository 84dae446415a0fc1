import type { z } from 'zod';
import type { Sealed } from '../domain/sealed';

/** A flow as data: its workflow type and the shape of its input. `R` is what it reports when completed. */
export interface FlowDefinition<S extends z.ZodType, _R> {
  /** Workflow type, and the middle part of workflow ids. */
  name: string;
  /** One line for people. */
  summary: string;
  /** Checked at the door; the workflow gets what it puts out. */
  input: S;
  /** What a schema can't say: `[field, problem and remedy]` for each thing that is wrong. */
  check?: (input: z.output<S>) => readonly (readonly [field: string, problem: string])[];
  /** Fields with secrets or personal data: `start` seals those that come in clear (DESIGN rule 10). */
  sealed?: readonly string[];
}

/** An input as its workflow gets it, with the fields of `sealed` sealed. */
export type SealedInput<I, F extends string> = I extends unknown
  ? { [K in keyof I]: K extends F ? Exclude<I[K], string> & Sealed : I[K] }
  : never;

export function defineFlow<R>() {
  return <S extends z.ZodType>(definition: FlowDefinition<S, R>): FlowDefinition<S, R> => definition;
}
