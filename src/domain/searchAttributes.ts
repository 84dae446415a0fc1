/**
 * Search attributes of flows, all of type Keyword. The server stores them in clear text, so they never contain personal
 * data. Workflows, clients and the development server derive their typed keys from these names.
 */
export const SEARCH_ATTRIBUTES = {
  /** The flow's name, which is also the workflow type: `transfer`. */
  kind: 'FlowKind',
  /** The step in which the flow waits. Set when a wait begins or a decision is needed. */
  step: 'FlowStep',
  /** Name of the pending decision. Unset while no decision is pending. */
  attention: 'FlowAttention',
  /** How the flow ended: the status of its outcome. Set once, when it ends. */
  outcome: 'FlowOutcome',
  /** Name of the entity. */
  entity: 'Entity',
} as const;

export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];
