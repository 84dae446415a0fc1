import type { KnownDifference } from '../knownDifferences';

export const ATTESTATION_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['GET /v1/attestations/{messageHash}', 'GET /v1/publicKeys', 'GET /v1/messages/{sourceDomainId}/*'],
    part: 'endpoint',
    kind: 'missing',
    reason: 'version 1; the API reference has only /v2',
  },
  {
    endpoints: ['GET /v2/fastBurn/{token}/fees/{sourceDomainId}/{destDomainId}'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'in the API reference, deprecated',
  },
  {
    endpoints: ['GET /v2/*', 'POST /v2/reattest/{nonce}'],
    part: 'response',
    kind: 'required',
    at: [
      'publicKeys',
      'publicKeys[].publicKey',
      'publicKeys[].cctpVersion',
      'messages',
      'messages[].status',
      'message',
      'nonce',
      'allowance',
      'lastUpdated',
      'data[].finalityThreshold',
      'data[].minimumFee',
    ],
    reason: 'always present, although the documents do not require it',
  },
  {
    endpoints: ['GET /v2/publicKeys', 'GET /v2/messages/{sourceDomainId}'],
    part: 'response',
    kind: 'open',
    at: ['*.cctpVersion', '*.minFinalityThreshold', '*.finalityThresholdExecuted'],
    reason: 'numbers that may get new values; no code depends on one',
  },
  {
    endpoints: ['GET /v2/messages/{sourceDomainId}', 'GET /v2/burn/{token}/fees/{sourceDomainId}/{destDomainId}'],
    part: 'response',
    kind: 'extra',
    at: ['messages[].forwardState', 'messages[].forwardTxHash', 'data[].forwardFee'],
    reason: 'newer than the documents: the forwarding service',
  },
  {
    endpoints: ['GET /v2/burn/{token}/fees/{sourceDomainId}/{destDomainId}'],
    part: 'query',
    kind: 'extra',
    at: ['forward'],
    reason: 'newer than the documents: the forwarding service',
  },
];
