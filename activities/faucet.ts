import type { RequestOf } from '../src/api';
import type { ActivityDeps } from './deps';
import { request } from './request';

export function faucetActivities({ api }: ActivityDeps) {
  return {
    async requestDrip(body: RequestOf<'requestDrip'>['body']): Promise<void> {
      await api.requestDrip({ body }, request());
    },
  };
}
