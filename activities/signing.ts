import type { RequestOf } from '../src/api';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';

/** A signature, and the signed transaction or delegate action. Encodings are those of the API. */
export interface SignatureFacts {
  signature: string;
  signedTransaction?: string;
  txHash?: string;
  signedDelegateAction?: string;
}

/** Signing with developer wallets. It may be repeated: a second signature of the same content does no harm. */
export function signingActivities({ api }: ActivityDeps) {
  return {
    async signMessage(body: RequestOf<'signMessage'>['body']): Promise<SignatureFacts> {
      const { signature } = (await api.signMessage({ body }, requestOptions())).data;
      return { signature };
    },

    async signTypedData(body: RequestOf<'signTypedData'>['body']): Promise<SignatureFacts> {
      const { signature } = (await api.signTypedData({ body }, requestOptions())).data;
      return { signature };
    },

    async signTransaction(body: RequestOf<'signTransaction'>['body']): Promise<SignatureFacts> {
      const { signature, signedTransaction, txHash } = (await api.signTransaction({ body }, requestOptions())).data;
      return { signature, signedTransaction, txHash };
    },

    async signDelegateAction(body: RequestOf<'signDelegateAction'>['body']): Promise<SignatureFacts> {
      const { signature, signedDelegateAction } = (await api.signDelegateAction({ body }, requestOptions())).data;
      return { signature, signedDelegateAction };
    },
  };
}
