import type { TransferBody } from '../../activities';
import { apiActivities } from '../../workflows/kit/activities';

export interface Submissions {
  entity: string;
  ref: string;
  keyId: string;
  body: TransferBody;
  count: number;
}

/** The one call of a transfer that the slowest limit holds, so many at once, on its own bucket's queue and by its rules. */
export async function submit({ entity, body, count, ...names }: Submissions): Promise<void> {
  const api = apiActivities(entity);
  const ordinals = Array.from({ length: count }, (_, index) => index + 1);
  await Promise.all(
    ordinals.map((ordinal) => api.createTransfer({ flow: 'submit', step: 'submit', ordinal, ...names }, body)),
  );
}
