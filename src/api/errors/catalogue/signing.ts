import { entriesOf } from '../entry';

/** Signing transactions, messages and typed data (155801–155808). */
// prettier-ignore
export const SIGNING_ERRORS = entriesOf([
  [155801, 'TransactionInvalid', 400, 'refused', 'The transaction to sign is missing or malformed', 'set a valid transaction or rawTransaction'],
  [155802, 'SigningAccountNotFound', 400, 'refused', 'The transaction does not list the account of the wallet', 'check the accounts in the header of the transaction'],
  [155803, 'NotTheSigner', 400, 'refused', 'The wallet is not a signer of this transaction', 'sign with the wallet that the transaction names as signer'],
  [155804, 'TransactionAlreadySigned', 400, 'refused', 'The transaction already has this signature', 'use the transaction as it is'],
  [155805, 'TransactionUnreadable', 400, 'refused', 'The transaction cannot be decoded', 'check that its encoding is that of the blockchain'],
  [155806, 'SignTransactionRawTransactionTooLarge', 400, 'refused', 'The transaction is larger than the blockchain permits', 'make the payload smaller or split it'],
  [155807, 'ChainIdUnsupported', 400, 'refused', 'Signing is not supported for this chain id', 'choose a supported chain id'],
  [155808, 'ChainIdMissing', 400, 'refused', 'The data to sign has no chain id', 'add the chain id'],
]);
