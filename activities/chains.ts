import type { ActivityDeps } from './deps';

export function chainActivities({ chainProblem }: ActivityDeps) {
  return {
    /** @returns the first reason why the entity may not use one of these blockchains; undefined if it may use them all */
    async chainProblem(blockchains: readonly string[]): Promise<string | undefined> {
      return blockchains.map(chainProblem).find((problem) => problem !== undefined);
    },
  };
}
