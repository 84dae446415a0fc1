import { base58 } from '@scure/base';
import { hashMessage, toHex } from 'viem/utils';
import { type Blockchain, type ChainFamily, CHAINS } from '../../domain/chains';
import type { AccountKey } from '../chains/keys';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { AccessFilter } from '../wallets/access';
import { type SenderFields, senderOf, sendingWallet } from '../wallets/sender';
import type { World } from '../world/world';
import { signJsonEvm, signRawEvm } from './evmTransaction';
import { signDelegate, signNear } from './near';
import { evmSignatureText, signEd25519, signHash } from './signatures';
import type { SignedTransaction } from './signedTransaction';
import { signSolana } from './solanaTransaction';
import { typedDataHash } from './typedData';

/** Signs messages and transactions with the wallets' keys. Signing changes nothing in the world and sends nothing. */

interface Signer {
  blockchain: Blockchain;
  family: ChainFamily;
  key: AccountKey;
  /** Whether the wallet is a contract, for which its owner's key signs. */
  sca: boolean;
}

interface MessageFields extends SenderFields {
  message: string;
  encodedByHex?: boolean | undefined;
}

interface TransactionFields extends SenderFields {
  rawTransaction?: string | undefined;
  transaction?: string | undefined;
}

type PerFamily<T> = Partial<Record<ChainFamily, T>>;

/** How each blockchain family hashes a message and encodes the signature. */
const MESSAGES: PerFamily<(key: AccountKey, message: Buffer) => string> = {
  evm: (key, message) => evmSignatureText(signHash(key, hashMessage({ raw: message }))),
  solana: (key, message) => base58.encode(signEd25519(key, message)),
  aptos: (key, message) => toHex(signEd25519(key, message)),
};

const TRANSACTIONS: PerFamily<(signer: Signer, body: TransactionFields) => SignedTransaction> = {
  evm(signer, { rawTransaction, transaction }) {
    // Only an EOA can send a signed transaction.
    if (signer.sca) throw new ApiErrorResponse(155803);
    return rawTransaction ? signRawEvm(signer, rawTransaction) : signJsonEvm(signer, transaction ?? '');
  },
  solana: ({ key }, body) => signSolana(key, rawOf(body)),
  near: ({ key }, body) => signNear(key, rawOf(body)),
};

export function signMessage(world: World, body: MessageFields, access: AccessFilter) {
  const { family, key } = signerOf(world, body, access);
  const message = body.encodedByHex ? Buffer.from(body.message.slice('0x'.length), 'hex') : Buffer.from(body.message);
  return { signature: supported(MESSAGES, family)(key, message) };
}

export function signTypedData(world: World, body: SenderFields & { data: string }, access: AccessFilter) {
  const { family, key, blockchain } = signerOf(world, body, access);
  if (family !== 'evm') throw new ApiErrorResponse(155510);
  return { signature: evmSignatureText(signHash(key, typedDataHash(body.data, blockchain))) };
}

export function signTransaction(world: World, body: TransactionFields, access: AccessFilter): SignedTransaction {
  const signer = signerOf(world, body, access);
  return supported(TRANSACTIONS, signer.family)(signer, body);
}

/** Signs a transaction for a user. The API reference allows this for Solana wallets only. */
export function signUserTransaction(world: World, body: TransactionFields, access: AccessFilter): SignedTransaction {
  const signer = signerOf(world, body, access);
  return supported({ solana: TRANSACTIONS.solana }, signer.family)(signer, body);
}

export function signDelegateAction(
  world: World,
  body: SenderFields & { unsignedDelegateAction: string },
  access: AccessFilter,
) {
  const { family, key } = signerOf(world, body, access);
  if (family !== 'near') throw new ApiErrorResponse(155510);
  return signDelegate(key, body.unsignedDelegateAction);
}

/** @throws ApiErrorResponse those of `senderOf` and `sendingWallet`, and 155517 if a smart-contract wallet is not deployed yet */
function signerOf(world: World, body: SenderFields, access: AccessFilter): Signer {
  const source = senderOf(world, body, access);
  const wallet = sendingWallet(source);
  if (source.sca && !wallet.deployed) throw new ApiErrorResponse(155517);
  const { blockchain, sca } = source;
  return { blockchain, family: CHAINS[blockchain].family, key: wallet.key, sca };
}

/** @throws ApiErrorResponse 155510 the blockchain family does not support the operation */
function supported<T>(table: PerFamily<T>, family: ChainFamily): T {
  const entry = table[family];
  if (entry === undefined) throw new ApiErrorResponse(155510);
  return entry;
}

/** @throws ApiErrorResponse 155801 no `rawTransaction`; the JSON form `transaction` is for EVM blockchains only */
function rawOf({ rawTransaction }: TransactionFields): string {
  if (!rawTransaction) throw new ApiErrorResponse(155801);
  return rawTransaction;
}
