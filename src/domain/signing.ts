/**
 * What can be signed, and the operation of the contract that signs it: with a developer wallet, and with a user's wallet
 * after an approval. Users cannot sign delegate actions (docs/api-behavior.md#signing).
 */
export const SIGNATURES = {
  message: { developer: 'signMessage', user: 'signUserMessage' },
  typedData: { developer: 'signTypedData', user: 'signUserTypedData' },
  transaction: { developer: 'signTransaction', user: 'signUserTransaction' },
  delegateAction: { developer: 'signDelegateAction', user: undefined },
} as const;

export type PayloadKind = keyof typeof SIGNATURES;
