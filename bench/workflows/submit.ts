import { workflowInfo } from '@temporalio/workflow';
import type { TransferBody } from '../../activities';
import { apiActivities } from '../../workflows/kit/activities';

export interface SubmitInput {
  entity: string;
  ref: string;
  body: TransferBody;
  count: number;
}

/** Sends `count` concurrent `createTransfer` calls, the call of a transfer with the strictest limit, on its bucket's queue. */
export async function submit({ entity, body, count, ...names }: SubmitInput): Promise<void> {
  const api = apiActivities(entity);
  const { firstExecutionRunId: senderRunId } = workflowInfo();
  const ordinals = Array.from({ length: count }, (_, index) => index + 1);
  await Promise.all(
    ordinals.map((ordinal) =>
      api.createTransfer({ flow: 'submit', step: 'submit', ordinal, senderRunId, ...names }, body),
    ),
  );
}
