const crypto = require('node:crypto');
const {
  NOT_AN_ID,
  UNKNOWN_ID,
  invalid,
  malformedApiKey,
  malformedCursor,
  unknownApiKey,
  unknownCursor,
} = require('../errorCases');
const { startReceiver } = require('../receiver');
const { settle } = require('../world');

const unknownTokens = { code: 156002, status: 404, change: { tokenIds: [UNKNOWN_ID] } };
const noTokens = invalid({ tokenIds: [] });
const notFound = { code: 404, status: 404, args: () => [UNKNOWN_ID] };
const malformed = { code: 156009, status: 400, args: () => [NOT_AN_ID] };

/** Settings of an entity. Both wallet SDKs have the same methods. */
const shared = {
  createMonitoredTokens: {
    args: ({ tokens }) => [{ tokenIds: [tokens.USDC.id] }],
    status: 201,
    expect: ({ tokens }) => ({ number: [tokens.length, 1] }),
    errors: [unknownTokens, noTokens],
  },
  updateMonitoredTokens: {
    args: ({ tokens }) => [{ tokenIds: [tokens.USDC.id, tokens.EURC.id] }],
    expect: ({ tokens }) => ({ number: [tokens.length, 2] }),
    // An empty list is not an error: it removes all tokens.
    errors: [unknownTokens, invalid({ tokenIds: ['USDC'] })],
  },
  listMonitoredTokens: {
    args: ({ tokens }) => [{ blockchain: tokens.USDC.blockchain }],
    // The wallet SDKs share an entity, and the first one sets the scope to MONITOR_ALL.
    expect: ({ scope, tokens }) => ({
      'a known scope': [['SELECTED', 'MONITOR_ALL'].includes(scope), true],
      number: [tokens.length, 2],
    }),
    errors: [unknownCursor, malformedCursor],
  },
  updateMonitoredTokensScope: {
    args: () => [{ scope: 'MONITOR_ALL' }],
    errors: [invalid({ scope: 'NONE' }), invalid({ scope: undefined })],
  },
  deleteMonitoredTokens: {
    args: ({ tokens }) => [{ tokenIds: [tokens.USDC.id, tokens.EURC.id] }],
    errors: [unknownTokens, noTokens],
  },
  createSubscription: {
    setup: async () => ({ webhooks: await startReceiver() }),
    args: ({ webhooks }) => [{ endpoint: webhooks.url }],
    expect: ({ endpoint }, { webhooks }) => ({ endpoint: [endpoint, webhooks.url] }),
    save: ({ id }) => ({ subscriptionId: id }),
    errors: [invalid({ endpoint: 'nowhere' }), unknownApiKey],
  },
  getSubscription: {
    args: ({ subscriptionId }) => [subscriptionId],
    expect: ({ id }, { subscriptionId }) => ({ id: [id, subscriptionId] }),
    errors: [notFound, malformed],
  },
  listSubscriptions: {
    expect: (subscriptions, { subscriptionId }) => ({ id: [subscriptions.at(-1)?.id, subscriptionId] }),
    errors: [unknownApiKey, malformedApiKey],
  },
  getNotificationSignature: {
    async setup(context) {
      const { control, sender, tokens, webhooks } = context;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.USDC.id, amount: '1' });
      await settle(context);
      return { webhook: webhooks.received.at(-1) };
    },
    args: ({ webhook }) => [webhook.headers['x-circle-key-id']],
    expect: ({ publicKey }, { webhook }) => ({ 'webhook signature': [isSigned(webhook, publicKey), true] }),
    errors: [notFound, malformed],
  },
  updateSubscription: {
    args: ({ subscriptionId }) => [{ id: subscriptionId, name: 'conformance', enabled: false }],
    expect: ({ name, enabled }) => ({ name: [name, 'conformance'], enabled: [enabled, false] }),
    errors: [{ code: 404, status: 404, change: { id: UNKNOWN_ID } }, invalid({ name: 7 })],
  },
  deleteSubscription: {
    args: ({ subscriptionId }) => [subscriptionId],
    status: 204,
    errors: [notFound, malformed],
  },
};

/** @param publicKey base64 SPKI DER */
function isSigned({ headers, body }, publicKey) {
  const key = crypto.createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return crypto.verify('sha256', Buffer.from(body), key, Buffer.from(headers['x-circle-signature'], 'base64'));
}

/** The next request fails with this status and no error code. */
const failsWith = (status) => ({
  code: status,
  status,
  setup: ({ control }) => control('POST', '/faults', { count: 1, action: { status } }),
});

/** Only in the developer SDK. Also checks errors without a code, for which the SDK chooses the class by status. */
const publicKey = {
  getPublicKey: {
    expect: (response) => ({ 'is PEM': [response.publicKey.startsWith('-----BEGIN '), true] }),
    errors: [unknownApiKey, malformedApiKey, failsWith(429), failsWith(500), failsWith(503)],
  },
};

module.exports = { publicKey, shared };
