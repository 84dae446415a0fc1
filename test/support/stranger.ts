import { Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import { TEMPORAL } from './stack';

const { UpdateWorkflowExecutionLifecycleStage } = temporal.api.enums.v1;

/** Only an answer that never comes takes this long. */
const ANSWER_TIMEOUT_MS = 20_000;

export const json = (value: unknown): Payload => defaultPayloadConverter.toPayload(value)!;

const withMetadata = ({ metadata, data }: Payload, change: Record<string, string>): Payload => ({
  metadata: {
    ...metadata,
    ...Object.fromEntries(Object.entries(change).map(([name, text]) => [name, Buffer.from(text)])),
  },
  data: data ?? null,
});

export interface Ciphertexts {
  /** Encrypted for another workflow or activity. */
  elsewhere: Payload;
  /** Encrypted for the same workflow, but for another message. */
  misplaced?: Payload;
  /** What a holder of the key ring would send, in plaintext. */
  value?: unknown;
}

/** Every form in which somebody without the key ring can send arguments or a result. */
export function forgeries({ elsewhere, misplaced, value = { id: 'x' } }: Ciphertexts): Record<string, Payload[]> {
  return {
    nothing: [],
    plain: [json(value)],
    'plain null': [json(null)],
    'two plain': [json(value), json(value)],
    'plain envelope': [json({ for: 'start transfer', args: [value] })],
    'no encoding': [{ data: Buffer.from('x') }],
    garbage: [{ metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.from('garbage') }],
    'forged key id': [withMetadata(elsewhere, { 'encryption-key-id': '2099-01' })],
    copied: [elsewhere],
    'copied twice': [elsewhere, elsewhere],
    ...(misplaced && {
      misplaced: [misplaced],
      'key id forged for here': [withMetadata(misplaced, { 'encryption-key-id': 'x' })],
    }),
  };
}

/** A client with write access to the namespace, and without the key ring. It sends raw payloads. */
export class Stranger {
  private constructor(readonly connection: Connection) {}

  static async connect(): Promise<Stranger> {
    return new Stranger(await Connection.connect({ address: TEMPORAL.address }));
  }

  close = () => this.connection.close();

  private readonly common = () => ({ namespace: TEMPORAL.namespace, identity: 'stranger', requestId: randomUUID() });
  private get service() {
    return this.connection.workflowService;
  }

  private start_(workflowId: string, type: string, queue: string, payloads: Payload[]) {
    return {
      ...this.common(),
      workflowId,
      workflowType: { name: type },
      taskQueue: { name: queue },
      input: { payloads },
    };
  }

  async start(workflowId: string, type: string, queue: string, payloads: Payload[]): Promise<void> {
    await this.service.startWorkflowExecution({
      ...this.start_(workflowId, type, queue, payloads),
      memo: { fields: { fingerprint: json('x') } },
    });
  }

  async signalWithStart(
    { workflowId, type, queue }: { workflowId: string; type: string; queue: string },
    payloads: Payload[],
    signal: { name: string; payloads: Payload[] },
  ): Promise<void> {
    await this.service.signalWithStartWorkflowExecution({
      ...this.start_(workflowId, type, queue, payloads),
      signalName: signal.name,
      signalInput: { payloads: signal.payloads },
    });
  }

  async signal(workflowId: string, signalName: string, payloads: Payload[]): Promise<void> {
    await this.service.signalWorkflowExecution({
      ...this.common(),
      workflowExecution: { workflowId },
      signalName,
      input: { payloads },
    });
  }

  /** @returns whether the workflow refused it */
  async updateIsRefused(workflowId: string, name: string, payloads: Payload[]): Promise<boolean> {
    const { outcome } = await this.connection.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () =>
      this.service.updateWorkflowExecution({
        namespace: TEMPORAL.namespace,
        workflowExecution: { workflowId },
        waitPolicy: {
          lifecycleStage: UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED,
        },
        request: { meta: { updateId: randomUUID(), identity: 'stranger' }, input: { name, args: { payloads } } },
      }),
    );
    return Boolean(outcome?.failure);
  }

  /** @returns whether the workflow refused it */
  async queryIsRefused(workflowId: string, queryType: string, payloads: Payload[]): Promise<boolean> {
    try {
      await this.connection.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () =>
        this.service.queryWorkflow({
          namespace: TEMPORAL.namespace,
          execution: { workflowId },
          query: { queryType, queryArgs: { payloads } },
        }),
      );
      return false;
    } catch (error) {
      // gRPC's INVALID_ARGUMENT: the worker answered with a failure.
      if ((error as { code?: number }).code === 3) return true;
      throw error;
    }
  }

  async completeActivity(workflowId: string, activityId: string, payloads: Payload[]): Promise<void> {
    await this.service.respondActivityTaskCompletedById({
      ...this.common(),
      workflowId,
      activityId,
      result: payloads.length > 0 ? { payloads } : null,
    });
  }

  async failActivity(workflowId: string, activityId: string, failure: temporal.api.failure.v1.IFailure): Promise<void> {
    await this.service.respondActivityTaskFailedById({ ...this.common(), workflowId, activityId, failure });
  }
}
