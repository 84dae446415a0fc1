import type { z } from 'zod';

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
}

export function defineFlow<R>() {
  return <S extends z.ZodType>(definition: FlowDefinition<S, R>): FlowDefinition<S, R> => definition;
}
