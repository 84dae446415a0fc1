/**
 * Every flow that a backend can start, with what it does in one line. The name is the workflow type, the middle part of
 * the workflow id, and the key in `src/flows/registry.ts`.
 */
export const FLOW_SUMMARIES = {
  transfer: "send tokens and follow the transaction; a user's wallet sends after the user has approved",
  executeContract: "call a contract and follow the transaction; a user's wallet sends after the user has approved",
  fundTestnet: 'request testnet tokens from the faucet and wait for them',
  onboardUser:
    'create a user or log one in, ask the user to approve the creation of wallets, and wait until they are live',
  addUserWallets: 'ask a user to approve the creation of more wallets, and wait until they are live',
  changePin: 'ask a user to set, change or restore the PIN',
  signPayload: 'sign a message, typed data, a transaction or a delegate action',
} as const satisfies Record<string, string>;

export type FlowName = keyof typeof FLOW_SUMMARIES;

export const FLOW_NAMES = Object.keys(FLOW_SUMMARIES) as FlowName[];

export function isFlowName(name: string): name is FlowName {
  return Object.hasOwn(FLOW_SUMMARIES, name);
}
