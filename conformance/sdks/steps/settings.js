const crypto = require('node:crypto');
const {
  NOT_AN_ID,
  UNKNOWN_ID,
  invalid,
  malformedApiKey,
  malformedCursor,
  unknownApiKey,
  unknownCursor,
} = require('../refusals');
const { startReceiver } = require('../receiver');
const { settle } = require('../world');

const unknownTokens = { code: 156002, status: 404, change: { tokenIds: [UNKNOWN_ID] } };
const noTokens = invalid({ tokenIds: [] });
const notFound = { code: 404, status: 404, with: () => [UNKNOWN_ID] };
const malformed = { code: 156009, status: 400, with: () => [NOT_AN_ID] };

/** An entity's settings: the same methods in both wallet SDKs. */
const shared = {
  createMonitoredTokens: {
    with: ({ tokens }) => [{ tokenIds: [tokens.USDC.id] }],
    status: 201,
    expect: ({ tokens }) => ({ number: [tokens.length, 1] }),
    refused: [unknownTokens, noTokens],
  },
  updateMonitoredTokens: {
    with: ({ tokens }) => [{ tokenIds: [tokens.USDC.id, tokens.EURC.id] }],
    expect: ({ tokens }) => ({ number: [tokens.length, 2] }),
    // Without tokens it is no refusal: none are left then.
    refused: [unknownTokens, invalid({ tokenIds: ['USDC'] })],
  },
  listMonitoredTokens: {
    with: ({ tokens }) => [{ blockchain: tokens.USDC.blockchain }],
    // The wallet SDKs share an entity: the first one leaves it to monitor all.
    expect: ({ scope, tokens }) => ({
      'a known scope': [['SELECTED', 'MONITOR_ALL'].includes(scope), true],
      number: [tokens.length, 2],
    }),
    refused: [unknownCursor, malformedCursor],
  },
  updateMonitoredTokensScope: {
    with: () => [{ scope: 'MONITOR_ALL' }],
    refused: [invalid({ scope: 'NONE' }), invalid({ scope: undefined })],
  },
  deleteMonitoredTokens: {
    with: ({ tokens }) => [{ tokenIds: [tokens.USDC.id, tokens.EURC.id] }],
    refused: [unknownTokens, noTokens],
  },
  createSubscription: {
    given: async () => ({ webhooks: await startReceiver() }),
    with: ({ webhooks }) => [{ endpoint: webhooks.url }],
    expect: ({ endpoint }, { webhooks }) => ({ endpoint: [endpoint, webhooks.url] }),
    keep: ({ id }) => ({ subscriptionId: id }),
    refused: [invalid({ endpoint: 'nowhere' }), unknownApiKey],
  },
  getSubscription: {
    with: ({ subscriptionId }) => [subscriptionId],
    expect: ({ id }, { subscriptionId }) => ({ id: [id, subscriptionId] }),
    refused: [notFound, malformed],
  },
  listSubscriptions: {
    expect: (subscriptions, { subscriptionId }) => ({ id: [subscriptions.at(-1)?.id, subscriptionId] }),
    refused: [unknownApiKey, malformedApiKey],
  },
  getNotificationSignature: {
    async given(known) {
      const { control, sender, tokens, webhooks } = known;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.USDC.id, amount: '1' });
      await settle(known);
      return { webhook: webhooks.received.at(-1) };
    },
    with: ({ webhook }) => [webhook.headers['x-circle-key-id']],
    expect: ({ publicKey }, { webhook }) => ({ 'webhook signature': [isSigned(webhook, publicKey), true] }),
    refused: [notFound, malformed],
  },
  updateSubscription: {
    with: ({ subscriptionId }) => [{ id: subscriptionId, name: 'conformance', enabled: false }],
    expect: ({ name, enabled }) => ({ name: [name, 'conformance'], enabled: [enabled, false] }),
    refused: [{ code: 404, status: 404, change: { id: UNKNOWN_ID } }, invalid({ name: 7 })],
  },
  deleteSubscription: {
    with: ({ subscriptionId }) => [subscriptionId],
    status: 204,
    refused: [notFound, malformed],
  },
};

/** @param publicKey base64 SPKI DER */
function isSigned({ headers, body }, publicKey) {
  const key = crypto.createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return crypto.verify('sha256', Buffer.from(body), key, Buffer.from(headers['x-circle-signature'], 'base64'));
}

/** The next request is answered so, and says no more. */
const struck = (status) => ({
  code: status,
  status,
  given: ({ control }) => control('POST', '/faults', { count: 1, action: { status } }),
});

/** Of the developer SDK alone: here also what has no code of the API, which gives classes by status. */
const publicKey = {
  getPublicKey: {
    expect: (answer) => ({ 'is PEM': [answer.publicKey.startsWith('-----BEGIN '), true] }),
    refused: [unknownApiKey, malformedApiKey, struck(429), struck(500), struck(503)],
  },
};

module.exports = { publicKey, shared };
