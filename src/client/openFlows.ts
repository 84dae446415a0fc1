import type { Client } from '@temporalio/client';
import type { KeyRing } from '../crypto/keyRing';
import { EncryptingCodec } from '../crypto/payloadCodec';
import { sealer } from '../crypto/sealing';
import type { SealingKeys } from '../crypto/sealingKeys';
import { sessionRef } from '../crypto/sessionRef';
import { workflowId } from '../domain/flowId';
import { FLOW_NAMES, type FlowName } from '../domain/flowNames';
import type { Sealed } from '../domain/sealed';
import { USER_SESSION } from '../domain/userSession';
import { WALLET_LANE } from '../domain/walletLane';
import type { ResultOf, ShownInputOf } from '../flows/registry';
import { connectClient, type TemporalTarget } from '../temporal/connection';
import { Throttle } from '../temporal/throttle';
import { FlowHandle } from './flowHandle';
import { type InitiatorOptions, startFlow, type StartInput } from './flowStarter';
import {
  type FlowPage,
  type FlowSummary,
  LIST_QUERIES_PER_SECOND,
  listFlows,
  listPage,
  type ListPageRequest,
} from './listFlows';
import type { ListFilter } from './listQuery';
import { LaneHandle } from './laneHandle';
import { SessionHandle } from './sessionHandle';

/** The calls of a backend for one flow type, such as `flows.transfer`. */
export interface FlowApi<N extends FlowName> {
  /**
   * Starts a flow. If a flow with the same ref and input exists, running or ended, it returns that one (`created` is
   * false) and its initiator stays the first one. If the workers refuse the token, the flow ends as `failed` and has sent
   * nothing.
   * @throws FlowInputError (nothing was started), FlowConflictError (the ref was used with another input or policy),
   * FlowInterruptedError (the flow of the ref has ended without an outcome), UntrustedAnswerError (something other than
   * this installation has used the ref)
   */
  start(
    options: StartInput<N>,
    initiator?: InitiatorOptions,
  ): Promise<FlowHandle<ResultOf<N>, ShownInputOf<N>> & { created: boolean }>;
  /**
   * Seals a secret or personal value for the input of a flow. Only workers can open it, and only for this ref and
   * field. `start` seals such fields automatically. Use this where the process that starts the flow must not see the
   * value.
   * @param field path of the field in the input, such as `email`
   */
  seal(ref: string, field: string, value: string): Promise<Sealed>;
  /** The flow with this ref, running or ended. Sends no request; the calls of the handle fail if there is no such flow. */
  get(ref: string): FlowHandle<ResultOf<N>, ShownInputOf<N>>;
}

/** The flows of one entity: `flows.transfer`, `flows.onboardUser`, … */
export type Flows = { readonly [N in FlowName]: FlowApi<N> } & {
  /**
   * Lists the entity's flows, running ones first. It reads Temporal's visibility page by page, with at most 5 queries per
   * second. A new flow appears after some seconds.
   * @throws FlowInputError
   */
  list(filter?: ListFilter): AsyncIterable<FlowSummary>;
  /**
   * One page of `list`, for a user interface that shows pages: `listPage({ status: 'failed', limit: 20, pageToken })`.
   * @throws FlowInputError
   */
  listPage(request?: ListPageRequest): Promise<FlowPage>;
  /** The session of a user. Sends no request. */
  session(userId: string): SessionHandle;
  /** The lane of a wallet. Sends no request. */
  lane(walletId: string): LaneHandle;
  /** Temporal's client, with the same encryption of payloads. */
  readonly client: Client;
  /** Closes the connection to Temporal. */
  close(): Promise<void>;
};

export interface FlowsOptions {
  /** Name of the entity, as in the workers' configuration. */
  entity: string;
  /** Encrypts payloads. Backends and workers share it. */
  keyRing: KeyRing;
  /** The workers' sealing keys; the public parts are enough. */
  sealingKeys: SealingKeys;
  /** Whether `start` refuses a missing token before it is sent; default: false. The workers check it in any case. */
  requireToken?: boolean;
  /** Address and namespace of Temporal; by default from its own profile and environment variables. */
  temporal?: Partial<TemporalTarget>;
}

/**
 * Connects a backend to the flows of one entity, with keys that it has loaded itself. `connectFlows` loads them from the
 * environment.
 * @throws TemporalUnreachableError
 */
export async function openFlows({
  entity,
  keyRing,
  sealingKeys,
  requireToken = false,
  temporal,
}: FlowsOptions): Promise<Flows> {
  const client = await connectClient([new EncryptingCodec(keyRing)], temporal);
  const throttle = new Throttle(LIST_QUERIES_PER_SECOND);
  const workerSealer = sealer(sealingKeys);
  const api = <N extends FlowName>(name: N): FlowApi<N> => ({
    async start(options, initiator) {
      const deps = { client, entity, keyRing, sealer: workerSealer, requireToken };
      const { handle, created } = await startFlow(deps, name, options, initiator);
      return Object.assign(handle, { created });
    },
    seal: (ref, field, value) => workerSealer.seal(value, { flow: workflowId({ entity, flow: name, ref }), field }),
    get: (ref) => new FlowHandle({ client, sealer: workerSealer }, workflowId({ entity, flow: name, ref }), ref),
  });
  return {
    ...(Object.fromEntries(FLOW_NAMES.map((name) => [name, api(name)])) as { [N in FlowName]: FlowApi<N> }),
    session: (userId) =>
      new SessionHandle(client, workflowId({ entity, flow: USER_SESSION, ref: sessionRef(entity, userId, keyRing) })),
    lane: (walletId) => new LaneHandle(client, workflowId({ entity, flow: WALLET_LANE, ref: walletId })),
    list: (filter) => listFlows({ client, entity, throttle }, filter),
    listPage: (request) => listPage({ client, entity, throttle }, request),
    client,
    close: () => client.connection.close(),
  };
}
