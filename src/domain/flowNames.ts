/** Every flow that a backend can start: workflow types, and the middle parts of their workflow ids. */
export const FLOW_NAMES = [
  'transfer',
  'fundTestnet',
  'onboardUser',
  'addUserWallets',
  'changePin',
  'signPayload',
] as const;

export type FlowName = (typeof FLOW_NAMES)[number];

export function isFlowName(name: string): name is FlowName {
  return (FLOW_NAMES as readonly string[]).includes(name);
}
