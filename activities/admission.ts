import { Context } from '@temporalio/activity';
import { SealedValueError } from '../src/crypto/sealing';
import type { Actor } from '../src/domain/actor';
import type { EventSubscription } from '../src/domain/flowEvent';
import { isFlowName } from '../src/domain/flowNames';
import { type SealedBearerToken, SCOPES, TOKEN_FIELD } from '../src/domain/messages';
import type { Policy } from '../src/domain/policy';
import { isSealed } from '../src/domain/sealed';
import { FIRST_READ_AFTER_SWEEPS_MS } from '../src/domain/sweep';
import { IdentityRefusedError, IssuerUnreachableError } from '../src/identity/verifier';
import { UnknownPolicyError } from '../src/policies';
import type { ActivityDeps } from './deps';
import { startedInputProblems } from './startedInput';

/** What a flow was started with. */
export interface AdmissionRequest {
  /** Workflow id of the flow. */
  flow: string;
  /** Name of the policy; `default` if it is missing. */
  policy?: string;
  /** The token of the initiator. The backend writes it, so it may be missing or malformed. */
  by?: SealedBearerToken;
  /** Its input, as the workflow received it. */
  input: object;
  /** When the flow started, by the server's clock: epoch milliseconds. */
  startedAt: number;
}

/** The flow does not begin. One line each. */
export interface Refusal {
  reason: string;
  remedy: string;
}

/** Whether a flow may begin. Without `events`, the entity has no endpoint and the flow emits no events. */
export type Admission = { events?: EventSubscription } & (
  { policy: Policy; startedBy?: Actor; refusal?: never } | { refusal: Refusal }
);

const WITH_TOKEN = 'start again with a new ref and a token of an issuer that the workers trust';

export function admissionActivities({ policies, events, opener, identities, hasSweeps }: ActivityDeps) {
  const subscription = events ? { events: { steps: events.steps ?? false } } : {};

  /**
   * @returns the initiator; undefined if the workers trust no issuer and no token came with the start
   * @throws IdentityRefusedError, SealedValueError
   */
  async function identify({ flow, by, startedAt }: AdmissionRequest): Promise<Actor | undefined> {
    const { issuers } = identities;
    if (!by) {
      if (issuers.length === 0) return undefined;
      throw new IdentityRefusedError(`token: is missing; get one from ${issuers.join(', ')}`);
    }
    if (!isSealed(by.token)) throw new IdentityRefusedError('by: is not a sealed token; start the flow with `start`');
    const token = await opener.open(by.token, { flow, field: TOKEN_FIELD });
    return identities.verify(token, SCOPES.start, new Date(startedAt));
  }

  return {
    /**
     * Identifies who starts a flow, and reads the highest version of its policy. Each flow does this once, before
     * everything else. Checks the input again: whoever has the keys can start a workflow without the checks of the
     * client. The token has to be valid at the time of the start: a worker may process the start much later.
     * @throws IssuerUnreachableError if the issuer's keys cannot be fetched now; only then can a retry help
     */
    async admitFlow(request: AdmissionRequest): Promise<Admission> {
      try {
        const startedBy = await identify(request);
        const policy = withFirstRead(policies.find(request.policy), hasSweeps);
        if (policy.requireInitiator && !startedBy) return { ...subscription, refusal: initiatorUnknown(policy) };
        const refusal = inputRefusal(request.input);
        if (refusal) return { ...subscription, refusal };
        return { ...subscription, policy, ...(startedBy && { startedBy }) };
      } catch (error) {
        if (error instanceof IssuerUnreachableError) throw error;
        const remedy = remedyOf(error);
        if (remedy === undefined) throw error;
        return { ...subscription, refusal: { reason: (error as Error).message, remedy } };
      }
    },
  };
}

/** A sweep tells a flow what it waits for, so the flow need not read for itself at first. A policy that says when wins. */
function withFirstRead(policy: Policy, hasSweeps: boolean): Policy {
  if (!hasSweeps) return policy;
  return { ...policy, transfer: { firstReadAfterMs: FIRST_READ_AFTER_SWEEPS_MS, ...policy.transfer } };
}

/** Undefined if the error is not a refusal. */
function remedyOf(error: unknown): string | undefined {
  if (error instanceof UnknownPolicyError) return 'use the name of a policy that the workers have';
  return error instanceof IdentityRefusedError || error instanceof SealedValueError ? WITH_TOKEN : undefined;
}

/** Why the flow cannot use its input; undefined if it can. */
function inputRefusal(input: object): Refusal | undefined {
  const { workflowType } = Context.current().info;
  // Tests run workflow types that are no flows of the product.
  if (workflowType === undefined || !isFlowName(workflowType)) return undefined;
  const problems = startedInputProblems(workflowType, input);
  if (problems.length === 0) return undefined;
  return { reason: problems.join('\n'), remedy: 'start again with a new ref and an input that `start` accepts' };
}

function initiatorUnknown({ name, version }: Policy): Refusal {
  return {
    reason: `policy ${name}@${version} requires a known initiator, but the workers trust no issuer`,
    remedy: `add an issuer to the file of WALLETFLOW_IDENTITY_FILE on the workers, then ${WITH_TOKEN}`,
  };
}
