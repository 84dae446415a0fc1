import type { Entity } from '../api';
import { loadConfig } from '../config';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

/**
 * The entity that `WALLETFLOW_ENTITY` names, or the only one, with its API key. For commands that call the API themselves;
 * they read a worker's configuration. A live entity has passed the check of `WALLETFLOW_LIVE`.
 * @param config the configuration of a process that serves entities
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
  throw new UsageError(`WALLETFLOW_ENTITY: ${wanted ? 'is unknown' : 'is not set'}; set it to one of ${names}`);
}
