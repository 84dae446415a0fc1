import { type Environment, loadConfig } from '../config';
import type { TemporalTarget } from '../temporal/connection';
import { type Flows, openFlows } from './connect';

export interface ConnectFlowsOptions {
  /** Where the configuration is read from: `process.env` by default. */
  env?: Environment;
  /** Where Temporal is, when not from its own profile and environment. */
  temporal?: Partial<TemporalTarget>;
}

/**
 * The flows of the entity that `WALLETFLOW_ENTITY` names, for a backend.
 * @throws ConfigurationError, TemporalUnreachableError
 */
export async function connectFlows({ env = process.env, temporal }: ConnectFlowsOptions = {}): Promise<Flows> {
  const { entity, keyRing, sealingKeys } = loadConfig(env, { role: 'backend' });
  return openFlows({ entity, keyRing, sealingKeys, temporal });
}
