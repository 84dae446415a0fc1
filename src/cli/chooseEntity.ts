import type { Entity } from '../api';
import { loadConfig } from '../config';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

/**
 * The entity that `WALLETFLOW_ENTITY` names, or the only one, with its key: for commands that ask the API themselves, which
 * read a worker's configuration. A live one has passed the check of `WALLETFLOW_LIVE`.
 * @param config of a process that serves entities
 * @throws ConfigurationError, UsageError
 */
export function chooseEntity(
  { env }: Terminal,
  config: { entities: Entity[] } = loadConfig(env, { role: 'worker' }),
): Entity {
  const { entities } = config;
  const wanted = env.WALLETFLOW_ENTITY?.trim();
  const entity = wanted
    ? entities.find(({ name }) => name === wanted)
    : entities.length === 1
      ? entities[0]
      : undefined;
  if (entity) return entity;
  const names = entities.map(({ name }) => name).join(', ');
  throw new UsageError(`WALLETFLOW_ENTITY: ${wanted ? 'names no entity' : 'is not set'}; set it to one of ${names}`);
}
