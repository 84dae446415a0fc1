import type { KnownDifference } from '../knownDifferences';

/** Wallet sets, wallets and tokens. */
export const WALLETS_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['GET /v1/w3s/developer/wallets', 'GET /v1/w3s/developer/wallets/{id}'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'paths in the API reference; the documents have one list for both kinds of wallets',
  },
  {
    endpoints: ['PUT /v1/w3s/developer/wallets/derive'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'newer than the documents: called by the official SDK',
  },
  {
    endpoints: ['POST /v1/w3s/developer/walletSets'],
    part: 'body',
    kind: 'extra',
    at: ['id'],
    reason: 'newer than the documents: the official SDK sends it',
  },
  {
    endpoints: ['GET /v1/w3s/developer/wallets/balances'],
    part: 'query',
    kind: 'extra',
    at: ['order'],
    reason: 'as in every other list of wallets',
  },
  {
    endpoints: ['*/walletSets', '*/walletSets/{id}'],
    part: 'response',
    kind: 'extra',
    at: ['data.walletSet.name', 'data.walletSets[].name'],
    reason: 'a wallet set is created with a name, and the official SDK reads it',
  },
  {
    endpoints: ['*/walletSets', '*/walletSets/{id}'],
    part: 'response',
    kind: 'optional',
    at: ['data.walletSet.custodyType', 'data.walletSets[].custodyType'],
    reason: 'responses without it are accepted, because no code depends on it',
  },
  {
    endpoints: ['*/wallets', '*/wallets/{id}', '*/wallets/{id}/blockchains/{blockchain}', '*/wallets/balances'],
    part: 'response',
    kind: 'optional',
    at: ['data.wallet.accountType', 'data.wallets[].accountType'],
    reason: 'responses without it are accepted, because no code depends on it',
  },
  {
    endpoints: ['GET /v1/w3s/wallets'],
    part: 'query',
    kind: 'extra',
    at: ['walletIds'],
    reason: 'in the API reference',
  },
  {
    endpoints: ['PUT /v1/w3s/developer/wallets/{id}/blockchains/{blockchain}'],
    part: 'path',
    kind: 'extra',
    at: ['{blockchain}'],
    values: 'SOL SOL-DEVNET NEAR NEAR-TESTNET APTOS APTOS-TESTNET ARC ARC-TESTNET MONAD MONAD-TESTNET'.split(' '),
    reason: 'blockchains on which no wallet can be derived have their own codes (155510, 155511)',
  },
  {
    endpoints: ['GET /v1/w3s/tokens/{id}'],
    part: 'response',
    kind: 'required',
    at: ['data.token'],
    reason: 'always present, although the documents do not require it',
  },
];
