/**
 * Every flow that a backend can start, with what it does in one line. The name is the workflow type, the middle part of
 * the workflow id, and the key in `src/flows/registry.ts`.
 */
export const FLOW_SUMMARIES = {
  transfer: 'send tokens and follow the transaction; a user approves it first',
  fundTestnet: 'request testnet tokens from the faucet and wait for them',
  onboardUser: 'create a user or log one in, and have the user approve wallets',
  addUserWallets: 'have a user approve more wallets, and wait until they are live',
  changePin: 'have a user set, change or restore the PIN',
  signPayload: 'sign a message, typed data, a transaction or a delegate action',
} as const satisfies Record<string, string>;

export type FlowName = keyof typeof FLOW_SUMMARIES;

export const FLOW_NAMES = Object.keys(FLOW_SUMMARIES) as FlowName[];

export function isFlowName(name: string): name is FlowName {
  return Object.hasOwn(FLOW_SUMMARIES, name);
}
