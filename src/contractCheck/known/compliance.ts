import type { KnownDifference } from '../knownDifferences';

export const COMPLIANCE_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['POST /v1/w3s/compliance/travelRule/*', 'PUT /v1/w3s/compliance/travelRule/{travelRuleId}'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'in the API reference; the documents no longer have it',
  },
  {
    endpoints: ['POST /v1/w3s/compliance/screening/addresses'],
    part: 'response',
    kind: 'extra',
    at: ['data'],
    reason: 'the documents have no envelope, the testing guide has data; the contract reads both',
  },
  {
    endpoints: ['POST /v1/w3s/compliance/screening/addresses'],
    part: 'response',
    kind: 'optional',
    at: ['result', 'decision', 'id', 'address', 'chain', 'details'],
    reason: 'required in one of the two envelopes',
  },
  {
    endpoints: ['POST /v1/w3s/compliance/screening/addresses'],
    part: 'response',
    kind: 'optional',
    at: ['decision.reasons[].signalSource'],
    reason: 'addresses and transactions share one shape, and the screening of transactions does not report it',
  },
];
