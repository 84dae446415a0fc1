import type { Client } from '@temporalio/client';
import { EncryptingCodec } from '../crypto/payloadCodec';
import type { KeyRing } from '../crypto/keyRing';
import { sealer } from '../crypto/sealing';
import { sessionRef } from '../crypto/sessionRef';
import type { SealingKeys } from '../crypto/sealingKeys';
import type { Sealed } from '../domain/sealed';
import { workflowId } from '../domain/ref';
import { USER_SESSION } from '../domain/userSession';
import { connectClient, type TemporalTarget } from '../temporal/connection';
import { Pace } from '../temporal/pace';
import { FlowHandle } from './handle';
import { SessionHandle } from './session';
import { LIST_QUERIES_PER_SECOND, listFlows, type FlowSummary, type ListFilter } from './list';
import { FLOW_NAMES, type FlowName, type ResultOf } from './registry';
import { startFlow, type StartInput } from './starter';

/** What a backend does with one kind of flow. */
export interface FlowApi<N extends FlowName> {
  /** Starts a flow, or returns the one that was started with the same ref and input before. */
  start(options: StartInput<N>): Promise<FlowHandle<ResultOf<N>> & { created: boolean }>;
  /**
   * Seals a secret or personal value for a flow's input: workers alone can open it, for this ref and field alone. `start`
   * does it by itself; this is for those who hold the value where the backend shall not see it.
   * @param field path of the field in the input, such as `originator.name`
   */
  seal(ref: string, field: string, value: string): Promise<Sealed>;
  /** The flow of a ref, running or ended. Asks nothing of the server yet. */
  get(ref: string): FlowHandle<ResultOf<N>>;
}

export type Flows = { readonly [N in FlowName]: FlowApi<N> } & {
  /**
   * The entity's flows, the running ones first. Read from visibility, page by page while they are taken: a new flow is there
   * after some seconds. At most 5 queries a second.
   * @throws FlowInputError
   */
  list(filter?: ListFilter): AsyncIterable<FlowSummary>;
  /** The session of a user who has something to approve. Asks nothing of the server yet. */
  session(userId: string): SessionHandle;
  /** Temporal's client, encrypting like the flows do. */
  readonly client: Client;
  close(): Promise<void>;
};

export interface FlowsOptions {
  entity: string;
  keyRing: KeyRing;
  /** Public keys are enough. */
  sealingKeys: SealingKeys;
  /** Where Temporal is, when not from its own profile and environment. */
  temporal?: Partial<TemporalTarget>;
}

/** The flows of one entity, for a backend. */
export async function openFlows({ entity, keyRing, sealingKeys, temporal }: FlowsOptions): Promise<Flows> {
  const client = await connectClient([new EncryptingCodec(keyRing)], temporal);
  const pace = new Pace(LIST_QUERIES_PER_SECOND);
  const toWorkers = sealer(sealingKeys);
  const api = <N extends FlowName>(name: N): FlowApi<N> => ({
    async start(options) {
      const { handle, created } = await startFlow({ client, entity, keyRing, sealer: toWorkers }, name, options);
      return Object.assign(handle, { created });
    },
    seal: (ref, field, value) => toWorkers.seal(value, { flow: workflowId({ entity, flow: name, ref }), field }),
    get: (ref) => new FlowHandle({ client, sealer: toWorkers }, workflowId({ entity, flow: name, ref }), ref),
  });
  return {
    ...(Object.fromEntries(FLOW_NAMES.map((name) => [name, api(name)])) as { [N in FlowName]: FlowApi<N> }),
    session: (userId) =>
      new SessionHandle(client, workflowId({ entity, flow: USER_SESSION, ref: sessionRef(entity, userId, keyRing) })),
    list: (filter) => listFlows({ client, entity, pace }, filter),
    client,
    close: () => client.connection.close(),
  };
}
