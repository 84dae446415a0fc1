import type { ActivityDeps } from './deps';

export function chainActivities({ chainProblem }: ActivityDeps) {
  return {
    /** What is wrong with using these blockchains for the entity: the first thing found. */
    async chainProblem(blockchains: readonly string[]): Promise<string | undefined> {
      return blockchains.map(chainProblem).find((problem) => problem !== undefined);
    },
  };
}
