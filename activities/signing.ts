import type { RequestOf } from '../src/api';
import { type EvmPayload, signerOf } from '../src/crypto/evmSigner';
import { findChain, sameAddress } from '../src/domain/chains';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';
import type { WalletFacts } from './wallets';

/** A signature, and the signed transaction or delegate action. Encodings are those of the API. */
export interface SignatureFacts {
  signature: string;
  signedTransaction?: string;
  txHash?: string;
  signedDelegateAction?: string;
}

/** The wallet that has to sign. */
export type Signer = Pick<WalletFacts, 'address' | 'blockchain' | 'accountType'>;

/**
 * Signing with developer wallets. It may be repeated: a second signature of the same content does no harm.
 *
 * A signature of an EVM key is compared with the payload and the wallet's address; then `'unlike'` means that it is not the
 * signature that was asked for. The API publishes no such rule for other blockchains, and the contract of a smart-contract
 * wallet decides which signatures are valid.
 */
export function signingActivities({ api }: ActivityDeps) {
  const compared = async (signer: Signer, payload: EvmPayload, signed: SignatureFacts) =>
    (await isUnlike(signer, payload, signed)) ? ('unlike' as const) : signed;

  return {
    async signMessage(body: RequestOf<'signMessage'>['body'], signer: Signer): Promise<SignatureFacts | 'unlike'> {
      const { signature } = (await api.signMessage({ body }, requestOptions())).data;
      return compared(signer, { kind: 'message', ...body }, { signature });
    },

    async signTypedData(body: RequestOf<'signTypedData'>['body'], signer: Signer): Promise<SignatureFacts | 'unlike'> {
      const { signature } = (await api.signTypedData({ body }, requestOptions())).data;
      return compared(signer, { kind: 'typedData', ...body }, { signature });
    },

    async signTransaction(
      body: RequestOf<'signTransaction'>['body'],
      signer: Signer,
    ): Promise<SignatureFacts | 'unlike'> {
      const { signature, signedTransaction, txHash } = (await api.signTransaction({ body }, requestOptions())).data;
      return compared(signer, { kind: 'transaction', ...body }, { signature, signedTransaction, txHash });
    },

    async signDelegateAction(body: RequestOf<'signDelegateAction'>['body']): Promise<SignatureFacts> {
      const { signature, signedDelegateAction } = (await api.signDelegateAction({ body }, requestOptions())).data;
      return { signature, signedDelegateAction };
    },
  };
}

async function isUnlike(signer: Signer, payload: EvmPayload, signed: SignatureFacts): Promise<boolean> {
  const { address, blockchain, accountType } = signer;
  if (findChain(blockchain)?.family !== 'evm' || accountType === 'SCA') return false;
  const recovered = await signerOf(payload, signed);
  return recovered === undefined || !sameAddress(blockchain, recovered, address);
}
