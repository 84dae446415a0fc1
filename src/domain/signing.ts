/**
 * What can be signed, and the call of the contract that has it signed: by a developer wallet, and by a user's after an
 * approval (spec, Signing). Users sign no delegate actions.
 */
export const SIGNATURES = {
  message: { developer: 'signMessage', user: 'signUserMessage' },
  typedData: { developer: 'signTypedData', user: 'signUserTypedData' },
  transaction: { developer: 'signTransaction', user: 'signUserTransaction' },
  delegateAction: { developer: 'signDelegateAction', user: undefined },
} as const;

export type PayloadKind = keyof typeof SIGNATURES;
