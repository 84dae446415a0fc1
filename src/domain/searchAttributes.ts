/**
 * Search attributes of every flow, all of type Keyword. They are stored in clear text: opaque names only, never personal
 * data. Workflows, clients and the dev server make their typed keys from these names.
 */
export const SEARCH_ATTRIBUTES = {
  /** Workflow type, as `list` shows it: `transfer`. */
  kind: 'FlowKind',
  /** The step a flow waits in; set when a wait begins. */
  step: 'FlowStep',
  /** Code of what a person has to decide; unset when there is nothing. */
  attention: 'FlowAttention',
  /** The account at the API. */
  entity: 'Entity',
} as const;

export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];
