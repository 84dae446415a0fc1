import { type Environment, loadConfig } from '../config';
import type { TemporalTarget } from '../temporal/connection';
import { type Flows, openFlows } from './openFlows';

export interface ConnectFlowsOptions {
  /** Environment variables of the configuration; `process.env` by default. */
  env?: Environment;
  /** Address and namespace of Temporal; by default from its own profile and environment variables. */
  temporal?: Partial<TemporalTarget>;
}

/**
 * Connects a backend to the flows of the entity in `WALLETFLOW_ENTITY`.
 * @throws ConfigurationError, TemporalUnreachableError
 */
export async function connectFlows({ env = process.env, temporal }: ConnectFlowsOptions = {}): Promise<Flows> {
  const { entity, keyRing, sealingKeys, localIssuer } = loadConfig(env, { role: 'backend' });
  // An environment that has a local issuer also has workers that trust it.
  return openFlows({ entity, keyRing, sealingKeys, requireToken: localIssuer !== undefined, temporal });
}
