import type { z } from 'zod';
import { HTTP_TIMEOUT_MS } from '../api/caller';
import type { Entity } from '../api/entity';
import { ENTITY_NAME } from '../api/entity';
import { isLoopback, parseUrl } from '../api/url';
import { KeyFileError } from '../crypto/keyFile';
import { type KeyRing, parseKeyRing } from '../crypto/keyRing';
import { parseSealingKeys, publicOnly, type SealingKeys } from '../crypto/sealingKeys';
import { IdentityFileSchema, type Issuer } from '../identity/issuers';
import { type LocalIssuer, LocalIssuerSchema } from '../identity/localIssuer';
import { LOG_LEVELS, type LogLevel } from '../logger';
import { loadPolicies, type Policies } from '../policies';
import { Duration } from './duration';
import { loadEntities, readEntitiesFile } from './entitiesFile';
import { closestMatch, ConfigurationError, schemaProblems } from './problem';
import { type Environment, Sources } from './sources';
import { type Role, VARIABLE_NAMES, type VariableName, VARIABLES } from './variables';

export { ConfigurationError, type Problem } from './problem';
export type { Environment } from './sources';
export type { Role } from './variables';

const ADDRESS = /^(\[[0-9a-f:]+\]|[^\s:[\]]+):(\d{1,5})$/i;
const MAX_PORT = 65_535;

interface CommonConfig {
  keyRing: KeyRing;
  logLevel: LogLevel;
}

interface Address {
  host: string;
  port: number;
}

/** A backend starts and reads flows. It has no API key and can seal but not open. */
export interface BackendConfig extends CommonConfig {
  /** Name of the entity whose flows it starts and reads. */
  entity: string;
  /** Public keys only. */
  sealingKeys: SealingKeys;
  /** For development: issues tokens. */
  localIssuer?: LocalIssuer;
}

/** A worker runs the flows. */
export interface WorkerConfig extends CommonConfig {
  /** All entities that it serves, with their secrets. */
  entities: Entity[];
  /** With private keys. */
  sealingKeys: SealingKeys;
  policies: Policies;
  /** Issuers of the tokens that identify senders of messages. If empty, no token is accepted. */
  issuers: readonly Issuer[];
  /** Share of each rate limit that this process may use, 0 < share ≤ 1. */
  apiShare: number;
  healthAddress: Address;
  shutdownGraceMs: number;
}

/** A gateway receives webhooks. It reads the API and can neither seal nor open. */
export interface GatewayConfig extends CommonConfig {
  /** All entities whose webhooks it receives. */
  entities: Entity[];
  gatewayAddress: Address;
  /** Origin at which the API reaches the gateway; used by `setup`. */
  gatewayUrl: string | undefined;
  healthAddress: Address;
}

/**
 * Reads and checks the configuration of a process. `src/temporal/connection.ts` reads the settings of Temporal's connection.
 * @throws ConfigurationError with every problem; no problem shows a secret
 */
export function loadConfig(env: Environment, options: { role: 'backend' }): BackendConfig;
export function loadConfig(env: Environment, options: { role: 'worker' }): WorkerConfig;
export function loadConfig(env: Environment, options: { role: 'gateway' }): GatewayConfig;
export function loadConfig(env: Environment, { role }: { role: Role }): BackendConfig | WorkerConfig | GatewayConfig {
  const sources = new Sources(env);
  reportUnknown(env, sources);
  const config = CONFIGS[role](sources, env);
  if (sources.problems.length > 0) throw new ConfigurationError(sources.problems);
  return config as BackendConfig | WorkerConfig | GatewayConfig;
}

/** A field is undefined exactly if a problem was reported for it. */
type Unchecked<T> = { [K in keyof T]: T[K] | undefined };

function backendConfig(sources: Sources): Unchecked<BackendConfig> {
  return {
    entity: readEntityName(sources),
    ...readCommon(sources, 'backend'),
    localIssuer: readOptional(sources, 'WALLETFLOW_LOCAL_ISSUER_FILE', LocalIssuerSchema),
  };
}

function workerConfig(sources: Sources, env: Environment): Unchecked<WorkerConfig> {
  return {
    entities: readEntities(sources, env),
    ...readCommon(sources, 'worker'),
    policies: readPolicies(sources),
    issuers: readOptional(sources, 'WALLETFLOW_IDENTITY_FILE', IdentityFileSchema)?.issuers ?? [],
    apiShare: readShare(sources),
    healthAddress: readAddress(sources, 'WALLETFLOW_HEALTH_ADDRESS'),
    shutdownGraceMs: readShutdownGrace(sources),
  };
}

function gatewayConfig(sources: Sources, env: Environment): Unchecked<GatewayConfig> {
  return {
    entities: readEntities(sources, env),
    keyRing: readKeyRing(sources),
    logLevel: readLogLevel(sources),
    gatewayAddress: readAddress(sources, 'WALLETFLOW_GATEWAY_ADDRESS'),
    gatewayUrl: readOrigin(sources, 'WALLETFLOW_GATEWAY_URL'),
    healthAddress: readAddress(sources, 'WALLETFLOW_HEALTH_ADDRESS'),
  };
}

const CONFIGS: Record<Role, (sources: Sources, env: Environment) => object> = {
  backend: backendConfig,
  worker: workerConfig,
  gateway: gatewayConfig,
};

function readCommon(sources: Sources, role: 'backend' | 'worker') {
  return {
    keyRing: readKeyRing(sources),
    sealingKeys: readSealingKeys(sources, role),
    logLevel: readLogLevel(sources),
  };
}

/** Without this check, a misspelled variable would silently keep its default. */
function reportUnknown(env: Environment, sources: Sources): void {
  for (const [name, value] of Object.entries(env)) {
    if (!value || !name.startsWith('WALLETFLOW_') || Object.hasOwn(VARIABLES, name)) continue;
    const suggestion = closestMatch(name, VARIABLE_NAMES);
    sources.report(
      name,
      'is not a variable of Walletflow',
      suggestion ? `Did you mean ${suggestion}?` : 'Remove it; docs/configuration.md lists all variables.',
    );
  }
}

function readEntityName(sources: Sources): string | undefined {
  const path = sources.variable('WALLETFLOW_ENTITIES_FILE');
  const name = sources.variable('WALLETFLOW_ENTITY');
  const file = path ? readEntitiesFile(path, sources) : undefined;
  if (path && !file) return undefined;
  const known = Object.keys(file ?? {});
  if (name === undefined) {
    if (known.length === 1) return known[0];
    return sources.report(
      'WALLETFLOW_ENTITY',
      known.length > 1 ? 'is not set, and there are several entities' : 'is not set',
      known.length > 1
        ? `Set it to one of ${known.join(', ')}.`
        : 'Set it to the name of an entity that the workers serve.',
    );
  }
  if (!ENTITY_NAME.test(name)) {
    return sources.report('WALLETFLOW_ENTITY', 'is not an entity name', 'Use 1 to 32 of a-z, 0-9 and "-".');
  }
  if (!file || known.includes(name)) return name;
  return sources.report('WALLETFLOW_ENTITY', `is not in ${path}`, `Set it to one of ${known.join(', ')}.`);
}

function readEntities(sources: Sources, env: Environment): Entity[] | undefined {
  const path = sources.required('WALLETFLOW_ENTITIES_FILE', 'Set it to the path of the entities file.');
  const file = path && readEntitiesFile(path, sources);
  if (!file) return undefined;
  for (const name of sources.variable('WALLETFLOW_LIVE')?.split(',') ?? []) {
    if (file[name.trim()]?.kind === 'live') continue;
    sources.report(
      'WALLETFLOW_LIVE',
      `names ${JSON.stringify(name.trim())}, which is not a live entity in ${path}`,
      'Name only live entities, separated by commas, or remove it.',
    );
  }
  return loadEntities(file, path, sources, env);
}

function readKeys<T>(sources: Sources, name: VariableName, parse: (text: string, source: string) => T): T | undefined {
  const path = sources.required(name, 'Set it to the path of the file; docs/configuration.md says how to create one.');
  const text = path && sources.file({ where: name, path });
  if (!text) return undefined;
  try {
    return parse(text, path);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return sources.report(name, error.message, 'Correct the file; existing data still needs the old keys.');
  }
}

function readKeyRing(sources: Sources): KeyRing | undefined {
  return readKeys(sources, 'WALLETFLOW_KEY_RING_FILE', parseKeyRing);
}

function readSealingKeys(sources: Sources, role: 'backend' | 'worker'): SealingKeys | undefined {
  const keys = readKeys(sources, 'WALLETFLOW_SEALING_KEYS_FILE', parseSealingKeys);
  if (!keys || role === 'backend') return keys && publicOnly(keys);
  const withoutPrivateKey = Object.keys(keys.keys).filter((id) => !keys.keys[id]?.privateKey);
  if (withoutPrivateKey.length === 0) return keys;
  return sources.report(
    'WALLETFLOW_SEALING_KEYS_FILE',
    `has no private key for ${withoutPrivateKey.join(', ')}, which a worker needs to open sealed data`,
    'Give workers the complete file, and backends only its public part.',
  );
}

function readPolicies(sources: Sources): Policies | undefined {
  const path = sources.variable('WALLETFLOW_POLICIES_FILE');
  if (!path) return loadPolicies();
  const json = sources.json({ where: 'WALLETFLOW_POLICIES_FILE', path });
  if (json === undefined) return undefined;
  try {
    return loadPolicies(json, path);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    sources.problems.push(...error.problems);
    return undefined;
  }
}

/** An optional JSON file. Undefined if it is not set or has problems. */
function readOptional<S extends z.ZodType>(sources: Sources, name: VariableName, schema: S): z.output<S> | undefined {
  const path = sources.variable(name);
  const json = path && sources.json({ where: name, path });
  if (!path || json === undefined) return undefined;
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  sources.problems.push(...schemaProblems(parsed.error, path));
  return undefined;
}

function readLogLevel(sources: Sources): LogLevel | undefined {
  const text = sources.variable('WALLETFLOW_LOG_LEVEL') ?? VARIABLES.WALLETFLOW_LOG_LEVEL.default;
  const level = LOG_LEVELS.find((known) => known === text);
  return (
    level ?? sources.report('WALLETFLOW_LOG_LEVEL', 'is not a log level', `Set it to one of ${LOG_LEVELS.join(', ')}.`)
  );
}

function readShare(sources: Sources): number | undefined {
  const text = sources.variable('WALLETFLOW_API_SHARE') ?? VARIABLES.WALLETFLOW_API_SHARE.default;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (share > 0 && share <= 1) return share;
  return sources.report(
    'WALLETFLOW_API_SHARE',
    'is not a share',
    'Set it to a number greater than 0 and at most 1, such as 0.5 for each of two processes.',
  );
}

function readAddress(
  sources: Sources,
  name: 'WALLETFLOW_HEALTH_ADDRESS' | 'WALLETFLOW_GATEWAY_ADDRESS',
): Address | undefined {
  const text = sources.variable(name) ?? VARIABLES[name].default;
  const [, host, port] = ADDRESS.exec(text) ?? [];
  if (host && Number(port) <= MAX_PORT) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  const example = VARIABLES[name].default.split(':')[1];
  return sources.report(
    name,
    'is not an address',
    `Write host and port, such as 0.0.0.0:${example} or [::1]:${example}.`,
  );
}

/**
 * Webhooks are signed but not encrypted, and third parties must be able neither to read nor to delay them. Plain HTTP is
 * therefore allowed on this machine only.
 */
function readOrigin(sources: Sources, name: 'WALLETFLOW_GATEWAY_URL'): string | undefined {
  const text = sources.variable(name);
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  if (!url || url.href !== `${url.origin}/`) {
    return sources.report(name, 'is not an origin', 'Write only scheme and host, such as https://hooks.example.com.');
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url.origin;
  return sources.report(name, 'is not https', 'Use https; http is allowed for this machine only.');
}

function readShutdownGrace(sources: Sources): number | undefined {
  const text = sources.variable('WALLETFLOW_SHUTDOWN_GRACE') ?? VARIABLES.WALLETFLOW_SHUTDOWN_GRACE.default;
  const { data } = Duration.safeParse(text);
  if (data && data > HTTP_TIMEOUT_MS) return data;
  return sources.report(
    'WALLETFLOW_SHUTDOWN_GRACE',
    data ? 'is not longer than the 20 seconds that a request may take' : 'is not a duration',
    'Write a number and a unit, such as "30 seconds"; it must be longer than 20 seconds.',
  );
}
