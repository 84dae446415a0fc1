import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';

export function monitoredTokenActivities({ api }: ActivityDeps) {
  return {
    /** Adds tokens to those that the entity monitors. May be repeated. */
    async monitorTokens(tokenIds: string[]): Promise<void> {
      await api.createMonitoredTokens({ body: { tokenIds } }, requestOptions());
    },
  };
}
