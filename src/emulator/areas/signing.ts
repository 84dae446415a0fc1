import { base58 } from '@scure/base';
import { hashMessage, toHex } from 'viem/utils';
import { CHAINS, type ChainFamily } from '../../domain/chains';
import type { Handlers } from '../area';
import { sendingWallet, sourceOf, type SourceFields } from '../checks/source';
import type { AccountKey } from '../chains/keys';
import { Refusal } from '../refusal';
import { signJsonEvm, signRawEvm } from '../signing/evmTransaction';
import { signDelegate, signNear } from '../signing/near';
import type { SignedTransaction } from '../signing/signedTransaction';
import { evmSignatureText, signEd25519, signHash } from '../signing/signatures';
import { signSolana } from '../signing/solanaTransaction';
import { typedDataHash } from '../signing/typedData';
import type { World } from '../world';

interface Signer {
  family: ChainFamily;
  key: AccountKey;
  /** A contract, whose owner's key signs for it. */
  sca: boolean;
}

interface TransactionFields {
  rawTransaction?: string | undefined;
  transaction?: string | undefined;
}

type PerFamily<T> = Partial<Record<ChainFamily, T>>;

/** What is signed of a message, and how its signature is written. */
const MESSAGES: PerFamily<(key: AccountKey, message: Buffer) => string> = {
  evm: (key, message) => evmSignatureText(signHash(key, hashMessage({ raw: message }))),
  solana: (key, message) => base58.encode(signEd25519(key, message)),
  aptos: (key, message) => toHex(signEd25519(key, message)),
};

const TRANSACTIONS: PerFamily<(signer: Signer, body: TransactionFields) => SignedTransaction> = {
  evm({ key, sca }, { rawTransaction, transaction }) {
    // Only an account with a key of its own can send a transaction.
    if (sca) throw new Refusal(155803);
    return rawTransaction ? signRawEvm(key, rawTransaction) : signJsonEvm(key, transaction ?? '');
  },
  solana: ({ key }, body) => signSolana(key, rawOf(body)),
  near: ({ key }, body) => signNear(key, rawOf(body)),
};

/** Signatures by the wallets' own keys; nothing is sent anywhere. */
export const signing: Handlers<'signing'> = {
  signMessage({ world, body }) {
    const { family, key } = signerOf(world, body);
    const message = body.encodedByHex ? Buffer.from(body.message.slice('0x'.length), 'hex') : Buffer.from(body.message);
    return { body: { data: { signature: offered(MESSAGES, family)(key, message) } } };
  },

  signTypedData({ world, body }) {
    const { family, key } = signerOf(world, body);
    if (family !== 'evm') throw new Refusal(155510);
    return { body: { data: { signature: evmSignatureText(signHash(key, typedDataHash(body.data))) } } };
  },

  signTransaction({ world, body }) {
    const signer = signerOf(world, body);
    return { body: { data: offered(TRANSACTIONS, signer.family)(signer, body) } };
  },

  signDelegateAction({ world, body }) {
    const { family, key } = signerOf(world, body);
    if (family !== 'near') throw new Refusal(155510);
    return { body: { data: signDelegate(key, body.unsignedDelegateAction) } };
  },
};

/** @throws Refusal as `sourceOf` and `sendingWallet`, and 155517: a smart-contract wallet that is not deployed yet */
function signerOf(world: World, body: SourceFields): Signer {
  const source = sourceOf(world, body);
  const wallet = sendingWallet(source);
  if (source.sca && !wallet.deployed) throw new Refusal(155517);
  return { family: CHAINS[source.blockchain].family, key: wallet.key, sca: source.sca };
}

/** @throws Refusal 155510: the blockchain has no such thing */
function offered<T>(table: PerFamily<T>, family: ChainFamily): T {
  const entry = table[family];
  if (entry === undefined) throw new Refusal(155510);
  return entry;
}

/** @throws Refusal 155801: `transaction`, the JSON form, is for EVM blockchains */
function rawOf({ rawTransaction }: TransactionFields): string {
  if (!rawTransaction) throw new Refusal(155801);
  return rawTransaction;
}
