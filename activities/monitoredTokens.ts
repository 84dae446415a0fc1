import type { ActivityDeps } from './deps';
import { request } from './request';

export function monitoredTokenActivities({ api }: ActivityDeps) {
  return {
    /** Adds tokens to those that the entity monitors; adding one twice does no harm. */
    async monitorTokens(tokenIds: string[]): Promise<void> {
      await api.createMonitoredTokens({ body: { tokenIds } }, request());
    },
  };
}
