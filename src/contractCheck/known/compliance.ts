import type { Known } from '../settle';

export const COMPLIANCE_KNOWN: readonly Known[] = [
  {
    endpoints: ['POST /v1/w3s/compliance/travelRule/*', 'PUT /v1/w3s/compliance/travelRule/{travelRuleId}'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'in the specification; the documents have it no more (api-facts 15)',
  },
  {
    endpoints: ['POST /v1/w3s/compliance/screening/addresses'],
    part: 'answer',
    kind: 'extra',
    at: ['data'],
    reason: 'the documents have the answer bare, the guide for testing within data: both are read (api-facts 15)',
  },
  {
    endpoints: ['POST /v1/w3s/compliance/screening/addresses'],
    part: 'answer',
    kind: 'optional',
    at: ['result', 'decision', 'id', 'address', 'chain', 'details'],
    reason: 'each is required, in one of the two envelopes',
  },
  {
    endpoints: ['POST /v1/w3s/compliance/screening/addresses'],
    part: 'answer',
    kind: 'optional',
    at: ['decision.reasons[].signalSource'],
    reason: 'one shape for the screening of addresses and transactions, and of these it is not told',
  },
];
