/** Who said something to a flow, as recorded in it. */
export interface Person {
  /** The issuer's own opaque name for somebody. */
  subject: string;
  /** Who vouches for it. */
  issuer: string;
}

/** Stands for whoever may cancel workflows at the Temporal server, with its own words (DESIGN rule 9). */
export const TEMPORAL: Person = { subject: 'temporal', issuer: 'temporal' };
