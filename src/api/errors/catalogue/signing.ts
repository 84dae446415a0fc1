import { entriesOf } from '../entry';

/** Signing transactions, messages and typed data (155801–155808). */
// prettier-ignore
export const SIGNING_ERRORS = entriesOf([
  [155801, 'TransactionInvalid', 400, 'refused', 'The transaction to sign is missing or malformed', 'give a valid transaction or rawTransaction'],
  [155802, 'SigningAccountNotFound', 400, 'refused', 'The transaction does not list the account of the wallet', 'check the accounts in the header of the transaction'],
  [155803, 'NotTheSigner', 400, 'refused', 'The wallet is not a signer of this transaction', 'sign with the wallet that the transaction names as signer'],
  [155804, 'TransactionAlreadySigned', 400, 'refused', 'The transaction has this signature already', 'use the transaction as it is'],
  [155805, 'TransactionUnreadable', 400, 'refused', 'The transaction cannot be decoded', 'check that its encoding is the one the blockchain uses'],
  [155806, 'SignTransactionRawTransactionTooLarge', 400, 'refused', 'The transaction is larger than the blockchain permits', 'make the payload smaller or split it'],
  [155807, 'ChainIdUnsupported', 400, 'refused', 'Signing is not offered for this chain id', 'choose a supported chain id'],
  [155808, 'ChainIdMissing', 400, 'refused', 'What is to be signed names no chain id', 'add the chain id'],
]);
