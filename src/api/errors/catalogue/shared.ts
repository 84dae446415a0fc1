import { entriesOf } from '../entry';

/**
 * Errors of all areas: resources, keys, entity secret, paging (156001–156032).
 *
 * Reads may lag behind a create for some seconds and return 156001, 156002, 156003 or 156005. An activity that follows
 * what its flow has just created treats the code as "still pending" during that time (`followTransaction`).
 */
// prettier-ignore
export const SHARED_ERRORS = entriesOf([
  [156001, 'WalletNotFound', 404, 'refused', 'No wallet with this id is accessible', 'check the wallet id and that it belongs to this entity'],
  [156002, 'TokenNotFound', 404, 'refused', 'No token with this id is accessible', 'check the token id and its blockchain'],
  [156003, 'TransactionNotFound', 404, 'refused', 'No transaction with this id is accessible', 'check the transaction id and that it belongs to this entity'],
  // If the ciphertext was new, the request arrived twice and the effect is tainted.
  [156004, 'CiphertextReused', 400, 'renew', 'The entity secret ciphertext was used before', 'encrypt the entity secret again for every request'],
  [156005, 'WalletSetNotFound', 404, 'refused', 'No wallet set with this id is accessible', 'check the wallet set id and that it belongs to this entity'],
  [156006, 'KeyBlockchainMismatch', 400, 'refused', 'A test key was used for a mainnet, or a live key for a testnet', 'use a key of the same kind as the blockchain'],
  [156007, 'ApiKeyNotFound', 401, 'halt', 'The API does not know the API key', 'configure a valid API key for this entity'],
  [156008, 'EntityConfigurationNotFound', 400, 'halt', 'The entity has no configuration', 'complete the setup of the entity in the console'],
  [156009, 'IdNotUuid', 400, 'refused', 'An id in the path is not a UUID', 'correct the id'],
  [156010, 'EntityNotFound', 404, 'halt', 'The API does not know the entity', 'check which entity the API key belongs to'],
  [156011, 'NftTokenIdNotFound', 404, 'refused', 'No NFT has this token id', 'check the NFT token id and its contract'],
  // A cursor is valid only for the listing that it came from. Start the paging again.
  [156012, 'CursorNotFound', 404, 'resolve', 'The API does not know the page cursor', 'start the listing again from its first page'],
  // `halt` if a newly fetched public key does not help.
  [156013, 'EntitySecretInvalid', 400, 'renew', 'The ciphertext does not hold the entity secret', 'fetch the public key again; if it persists, check the configured entity secret'],
  [156014, 'CursorNotUuid', 400, 'refused', 'A page cursor is not a UUID', 'take the cursor from the previous page unchanged'],
  [156015, 'EntitySecretAlreadySet', 409, 'resolve', 'The entity already has an entity secret', 'keep using the registered secret, or rotate it in the console'],
  [156016, 'EntitySecretNotSet', 403, 'halt', 'The entity has no entity secret', 'register an entity secret ciphertext in the console'],
  [156017, 'BlockchainParametersIncorrect', 400, 'refused', 'The parameters do not fit the blockchain', 'correct the parameters of the blockchain'],
  [156018, 'RecoveryFileInvalid', 403, 'refused', 'The recovery file is not valid', 'upload the recovery file of the last registration or rotation'],
  [156019, 'EntitySecretNeedsRotation', 403, 'halt', 'The current entity secret is no longer valid', 'rotate the entity secret in the console and configure the new one'],
  // After a lost reply this means that the first request was carried out. Never retry with a new key before a lookup.
  [156020, 'IdempotencyKeyUsed', 403, 'resolve', 'The idempotency key was used before', 'look up what the first request created; use a new key only if it created nothing'],
  [156021, 'WalletSetIdUsed', 409, 'resolve', 'The wallet set id was used before', 'look the wallet set up and adopt it, or choose another id'],
  [156023, 'MessageNotHex', 409, 'refused', 'The message is declared as hex but is not hex', 'send the message as hex, or set encodedByHex to false'],
  [156024, 'TypedDataNotJson', 400, 'refused', 'The typed data is not a JSON string', 'send the typed data as a string of valid JSON'],
  [156025, 'MessageInvalid', 400, 'refused', 'The message cannot be signed under EIP-191', 'send a valid EIP-191 message'],
  [156026, 'TypedDataInvalid', 400, 'refused', 'The typed data does not conform to EIP-712', 'correct types, domain and message of the typed data'],
  [156027, 'BlockchainUnsupported', 400, 'refused', 'The blockchain is not supported, or no longer supported', 'choose a supported blockchain'],
  [156030, 'DelegateActionInvalid', 400, 'refused', 'The unsigned delegate action cannot be read', 'send a valid NEAR delegate action'],
  // Known only from the official SDKs. Their status is not published; 400 is assumed.
  [156031, 'TokenAddressUnsupported', 400, 'refused', 'The token at this address is not supported', 'choose a supported token'],
  [156032, 'AmountInvalid', 400, 'refused', 'The amount is not valid', 'give a positive decimal amount'],
]);
