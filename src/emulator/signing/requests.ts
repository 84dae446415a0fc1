import { base58 } from '@scure/base';
import { hashMessage, toHex } from 'viem/utils';
import { CHAINS, type ChainFamily } from '../../domain/chains';
import type { AccountKey } from '../chains/keys';
import { sendingWallet, sourceOf, type SourceFields } from '../checks/source';
import type { Reach } from '../reach';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { signJsonEvm, signRawEvm } from './evmTransaction';
import { signDelegate, signNear } from './near';
import { evmSignatureText, signEd25519, signHash } from './signatures';
import type { SignedTransaction } from './signedTransaction';
import { signSolana } from './solanaTransaction';
import { typedDataHash } from './typedData';

/** What the API signs, and refuses to sign, by the wallets' own keys. Nothing changes, and nothing is sent anywhere. */

interface Signer {
  family: ChainFamily;
  key: AccountKey;
  /** A contract, whose owner's key signs for it. */
  sca: boolean;
}

interface MessageFields extends SourceFields {
  message: string;
  encodedByHex?: boolean | undefined;
}

interface TransactionFields extends SourceFields {
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

export function signMessage(world: World, body: MessageFields, reach: Reach) {
  const { family, key } = signerOf(world, body, reach);
  const message = body.encodedByHex ? Buffer.from(body.message.slice('0x'.length), 'hex') : Buffer.from(body.message);
  return { signature: offered(MESSAGES, family)(key, message) };
}

export function signTypedData(world: World, body: SourceFields & { data: string }, reach: Reach) {
  const { family, key } = signerOf(world, body, reach);
  if (family !== 'evm') throw new Refusal(155510);
  return { signature: evmSignatureText(signHash(key, typedDataHash(body.data))) };
}

export function signTransaction(world: World, body: TransactionFields, reach: Reach): SignedTransaction {
  const signer = signerOf(world, body, reach);
  return offered(TRANSACTIONS, signer.family)(signer, body);
}

/** As users may have it: by Solana wallets alone (spec, Signing). */
export function signUserTransaction(world: World, body: TransactionFields, reach: Reach): SignedTransaction {
  const signer = signerOf(world, body, reach);
  return offered({ solana: TRANSACTIONS.solana }, signer.family)(signer, body);
}

export function signDelegateAction(
  world: World,
  body: SourceFields & { unsignedDelegateAction: string },
  reach: Reach,
) {
  const { family, key } = signerOf(world, body, reach);
  if (family !== 'near') throw new Refusal(155510);
  return signDelegate(key, body.unsignedDelegateAction);
}

/** @throws Refusal as `sourceOf` and `sendingWallet`, and 155517: a smart-contract wallet that is not deployed yet */
function signerOf(world: World, body: SourceFields, reach: Reach): Signer {
  const source = sourceOf(world, body, reach);
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
