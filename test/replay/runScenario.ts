import type { Issuer } from '../../src/identity/issuers';
import type { Stack } from '../support/stack';

const base = { feeLevel: 'MEDIUM', unresolvedAfter: '24 hours', stuck: 'ask' };

/** Policies that some scenarios need. */
export const POLICIES = {
  accelerating: [{ version: 1, transfer: { ...base, stuck: 'accelerate' } }],
  impatient: [{ version: 1, transfer: { ...base, unresolvedAfter: '1 hour' } }],
  fresh: [{ version: 1, transfer: { ...base, approvalMaxAge: '5 minutes' } }],
  deploying: [{ version: 1, transfer: base, signing: { undeployed: 'deploy' } }],
  thrifty: [{ version: 1, transfer: { ...base, maxNetworkFee: { 'ETH-SEPOLIA': '0.000000000000000001' } } }],
};

/** An issuer that the workers trust and whose keys they cannot fetch. */
export const UNREACHABLE_ISSUER: Issuer = {
  issuer: 'https://unreachable.example',
  audience: 'walletflow',
  jwksUri: 'http://127.0.0.1:1/',
  scopeClaim: 'scope',
};

/** The run whose history is recorded. `runId` selects an earlier run of a workflow that continued as new. */
export interface RecordedWorkflow {
  workflowId: string;
  runId?: string;
}

/** Runs a flow to its end or to the point where it waits, and checks that it is there. */
export type RunScenario = (stack: Stack) => Promise<RecordedWorkflow>;
