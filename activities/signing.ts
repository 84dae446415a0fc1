import type { RequestOf } from '../src/api';
import type { ActivityDeps } from './deps';
import { request } from './request';

/** A signature, and where a transaction or an action was signed that one with it. Encodings are the API's. */
export interface SignatureFacts {
  signature: string;
  signedTransaction?: string;
  txHash?: string;
  signedDelegateAction?: string;
}

/** Signing by developer wallets: repeatable, a second signature of the same content harms nobody. */
export function signingActivities({ api }: ActivityDeps) {
  return {
    async signMessage(body: RequestOf<'signMessage'>['body']): Promise<SignatureFacts> {
      const { signature } = (await api.signMessage({ body }, request())).data;
      return { signature };
    },

    async signTypedData(body: RequestOf<'signTypedData'>['body']): Promise<SignatureFacts> {
      const { signature } = (await api.signTypedData({ body }, request())).data;
      return { signature };
    },

    async signTransaction(body: RequestOf<'signTransaction'>['body']): Promise<SignatureFacts> {
      const { signature, signedTransaction, txHash } = (await api.signTransaction({ body }, request())).data;
      return { signature, signedTransaction, txHash };
    },

    async signDelegateAction(body: RequestOf<'signDelegateAction'>['body']): Promise<SignatureFacts> {
      const { signature, signedDelegateAction } = (await api.signDelegateAction({ body }, request())).data;
      return { signature, signedDelegateAction };
    },
  };
}
