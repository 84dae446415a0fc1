import type { RequestOf } from '../src/api';
import type { SentEffect } from '../src/domain/effect';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';

export function faucetActivities({ api }: ActivityDeps) {
  return {
    async requestDrip(_effect: SentEffect, body: RequestOf<'requestDrip'>['body']): Promise<void> {
      await api.requestDrip({ body }, requestOptions());
    },
  };
}
