import type { Known } from '../settle';

export const ATTESTATION_KNOWN: readonly Known[] = [
  {
    endpoints: ['GET /v1/attestations/{messageHash}', 'GET /v1/publicKeys', 'GET /v1/messages/{sourceDomainId}/*'],
    part: 'endpoint',
    kind: 'missing',
    reason: 'version 1: the specification has /v2 alone',
  },
  {
    endpoints: ['GET /v2/fastBurn/{token}/fees/{sourceDomainId}/{destDomainId}'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'in the specification, deprecated',
  },
  {
    endpoints: ['GET /v2/*', 'POST /v2/reattest/{nonce}'],
    part: 'answer',
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
    reason: 'always there; the documents leave out to say so',
  },
  {
    endpoints: ['GET /v2/publicKeys', 'GET /v2/messages/{sourceDomainId}'],
    part: 'answer',
    kind: 'open',
    at: ['*.cctpVersion', '*.minFinalityThreshold', '*.finalityThresholdExecuted'],
    reason: 'numbers, of which more may come: none is decided on here',
  },
  {
    endpoints: ['GET /v2/messages/{sourceDomainId}', 'GET /v2/burn/{token}/fees/{sourceDomainId}/{destDomainId}'],
    part: 'answer',
    kind: 'extra',
    at: ['messages[].forwardState', 'messages[].forwardTxHash', 'data[].forwardFee'],
    reason: 'newer than the documents: the forwarding service (api-facts 11)',
  },
  {
    endpoints: ['GET /v2/burn/{token}/fees/{sourceDomainId}/{destDomainId}'],
    part: 'query',
    kind: 'extra',
    at: ['forward'],
    reason: 'newer than the documents: the forwarding service (api-facts 11)',
  },
];
