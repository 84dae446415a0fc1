import type { Known } from '../settle';

/** Wallet sets, wallets, tokens. */
export const WALLETS_KNOWN: readonly Known[] = [
  {
    endpoints: ['GET /v1/w3s/developer/wallets', 'GET /v1/w3s/developer/wallets/{id}'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'paths of the specification; the documents have one list for both kinds of wallets',
  },
  {
    endpoints: ['PUT /v1/w3s/developer/wallets/derive'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'newer than the documents: called by the official SDK (api-facts 14)',
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
    part: 'answer',
    kind: 'extra',
    at: ['data.walletSet.name', 'data.walletSets[].name'],
    reason: 'a set is created with a name, and the official SDK reads it (api-facts 3)',
  },
  {
    endpoints: ['*/walletSets', '*/walletSets/{id}'],
    part: 'answer',
    kind: 'optional',
    at: ['data.walletSet.custodyType', 'data.walletSets[].custodyType'],
    reason: 'an answer without it is as good',
  },
  {
    endpoints: ['*/wallets', '*/wallets/{id}', '*/wallets/{id}/blockchains/{blockchain}', '*/wallets/balances'],
    part: 'answer',
    kind: 'optional',
    at: ['data.wallet.accountType', 'data.wallets[].accountType'],
    reason: 'an answer without it is as good: nothing here depends on it',
  },
  {
    endpoints: ['GET /v1/w3s/wallets'],
    part: 'query',
    kind: 'extra',
    at: ['walletIds'],
    reason: 'in the specification',
  },
  {
    endpoints: ['PUT /v1/w3s/developer/wallets/{id}/blockchains/{blockchain}'],
    part: 'path',
    kind: 'extra',
    at: ['{blockchain}'],
    values: 'SOL SOL-DEVNET NEAR NEAR-TESTNET APTOS APTOS-TESTNET ARC ARC-TESTNET MONAD MONAD-TESTNET'.split(' '),
    reason: 'a blockchain on which no wallet can be derived has a code of its own (155510, 155511)',
  },
  {
    endpoints: ['GET /v1/w3s/tokens/{id}'],
    part: 'answer',
    kind: 'required',
    at: ['data.token'],
    reason: 'always there; the documents leave out to say so',
  },
];
