import type { RequestOf } from '../src/api';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';

export function faucetActivities({ api }: ActivityDeps) {
  return {
    async requestDrip(body: RequestOf<'requestDrip'>['body']): Promise<void> {
      await api.requestDrip({ body }, requestOptions());
    },
  };
}
