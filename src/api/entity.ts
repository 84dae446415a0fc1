import { checkEntitySecret } from '../crypto/entitySecret';
import { type Blockchain, BLOCKCHAINS, keyKindOf } from '../domain/chains';
import { CODES } from '../domain/codes';
import { API_KEY_FORM, parseApiKey } from './apiKey';
import { checkEventEndpoint, type EventEndpoint } from './eventEndpoint';
import { isLoopback, parseUrl } from './url';

/** One account at the API. */
export interface Entity {
  /** Part of every flow id, key, bucket and encrypted value: 1 to 32 characters of a-z, 0-9 and -. */
  name: string;
  kind: 'test' | 'live';
  apiKey: string;
  /** 64 hexadecimal characters. Only writes of developer wallets need it. */
  entitySecret?: string;
  hosts: Hosts;
  /** Blockchains that its flows may use; by default all of its kind. */
  chains?: readonly Blockchain[];
  /**
   * How many transactions of one EOA may be outstanding on a blockchain whose limit the API does not publish; default: 16.
   */
  maxOutstanding?: number;
  /** Interval of the sweeps of its lists, in milliseconds; without it, there are none and each flow reads for itself. */
  sweepEveryMs?: number;
  /** Receives the events of its flows; without it, flows send no events. */
  events?: EventEndpoint;
}

/** Origins: only scheme, host and port. */
export interface Hosts {
  /** `/v1/w3s` and `/v2/notifications`. */
  api: string;
  /** The other `/v2` paths. This host takes no credentials and never gets any. */
  attestation?: string;
}

const API_HOST = 'https://api.circle.com';
const ATTESTATION_HOSTS = {
  test: 'https://iris-api-sandbox.circle.com',
  live: 'https://iris-api.circle.com',
} as const satisfies Record<Entity['kind'], string>;
/** Marks an unknown attestation host as one for testnets. */
const TESTNET_HOST = /sandbox|testnet/;

/** The form of an entity's name, which is part of every flow id, key and task queue. */
export const ENTITY_NAME = /^[a-z0-9-]{1,32}$/;

/** The public hosts. One API host serves both kinds of key; attestations have one host per kind. */
export function defaultHosts(kind: Entity['kind']): Required<Hosts> {
  return { api: API_HOST, attestation: ATTESTATION_HOSTS[kind] };
}

/**
 * All problems of an entity's configuration (docs/security.md#live-safety). Each line names the field, the problem and
 * the remedy, and contains neither key nor secret.
 * @param env its `WALLETFLOW_LIVE` names the live entities that may be called, separated by commas
 */
export function checkEntity(entity: Entity, env: Readonly<Record<string, string | undefined>>): string[] {
  return [
    ...checkName(entity),
    ...checkKey(entity, env),
    ...checkSecret(entity),
    ...checkHosts(entity),
    ...checkChains(entity),
    ...(entity.events ? checkEventEndpoint(entity.events, entity.hosts.api) : []),
  ];
}

/** Why the entity may not use a blockchain, or undefined: it is unknown, of the other kind, or not in the list. */
export function checkChain(entity: Pick<Entity, 'kind' | 'chains'>, blockchain: string): string | undefined {
  const kind = keyKindOf(blockchain);
  if (kind === undefined) return `blockchain: ${blockchain} is not known. Choose one of ${BLOCKCHAINS.join(', ')}`;
  if (kind !== entity.kind) {
    return (
      `blockchain: ${blockchain} is a ${kind === 'live' ? 'mainnet' : 'testnet'} and needs a ${keyName(kind)}, ` +
      `but the entity has a ${keyName(entity.kind)} (${CODES.keyBlockchainMismatch}). ` +
      'Use a blockchain of the same kind or another entity'
    );
  }
  if (entity.chains && !entity.chains.some((allowed) => allowed === blockchain)) {
    return `blockchain: ${blockchain} is not among the entity's chains. Add it there or choose one of ${entity.chains.join(', ')}`;
  }
  return undefined;
}

function checkName({ name }: Entity): string[] {
  if (ENTITY_NAME.test(name)) return [];
  return ['name: must be 1 to 32 characters of a-z 0-9 -. Rename the entity; the name becomes part of every flow id'];
}

function checkKey(entity: Entity, env: Readonly<Record<string, string | undefined>>): string[] {
  const key = parseApiKey(entity.apiKey);
  if (!key) return [`apiKey: does not have the form ${API_KEY_FORM}. Copy the whole key from the console`];
  const problems: string[] = [];
  if (key.kind !== entity.kind) {
    problems.push(
      `apiKey: is a ${keyName(key.kind)}, but kind is ${entity.kind}. Configure a ${keyName(entity.kind)} or change kind to ${key.kind}`,
    );
  }
  const local = isLoopback(entity.hosts.api);
  if (key.emulator && !local) {
    problems.push(
      'apiKey: LIVE_API_KEY:emulator:… is a key of the emulator, but hosts.api is not on this machine. ' +
        'Point hosts.api at the emulator or configure a key of the API',
    );
  }
  if (key.kind !== 'live' || key.emulator) return problems;
  if (local) {
    problems.push(
      'apiKey: a live key is never sent to a loopback host. Use LIVE_API_KEY:emulator:<secret> with the emulator, ' +
        `or set hosts.api to ${API_HOST}`,
    );
  } else if (!namesOf(env.WALLETFLOW_LIVE).includes(entity.name)) {
    problems.push(`kind: live calls are not allowed for this entity. Set WALLETFLOW_LIVE=${entity.name} to allow them`);
  }
  return problems;
}

function checkSecret({ entitySecret }: Entity): string[] {
  const problem = entitySecret === undefined ? undefined : checkEntitySecret(entitySecret);
  return problem ? [problem] : [];
}

function checkHosts({ kind, hosts }: Entity): string[] {
  const problems = [...checkOrigin('hosts.api', hosts.api)];
  if (hosts.attestation === undefined) return problems;
  problems.push(...checkOrigin('hosts.attestation', hosts.attestation));
  if (problems.length > 0) return problems;

  const { api, attestation } = { api: new URL(hosts.api), attestation: new URL(hosts.attestation) };
  if (isLoopback(api) !== isLoopback(attestation)) {
    problems.push(
      `hosts: one of ${api.host} and ${attestation.host} is on this machine and the other is not. Point both at the emulator or both at the API`,
    );
  } else if (!isLoopback(api) && api.host === attestation.host) {
    problems.push(
      `hosts.attestation: ${attestation.host} is the API host, but attestations have their own host. Set it to ${ATTESTATION_HOSTS[kind]}`,
    );
  }
  const serves = attestationKind(attestation);
  if (serves !== undefined && serves !== kind) {
    problems.push(
      `hosts.attestation: ${attestation.host} serves ${serves} entities, but kind is ${kind}. Set it to ${ATTESTATION_HOSTS[kind]}`,
    );
  }
  return problems;
}

function checkOrigin(field: string, text: string): string[] {
  const url = parseUrl(text);
  if (!url) return [`${field}: is not a URL. Write scheme and host, like ${API_HOST}`];
  if (url.href !== `${url.origin}/`) {
    return [`${field}: contains more than scheme, host and port. Write it like ${API_HOST}`];
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return [];
  return [`${field}: ${url.origin} is not https. Plain http is allowed only for hosts on this machine`];
}

/** The kind that an attestation host serves; undefined on this machine and if the host's name does not say. */
function attestationKind(url: URL): Entity['kind'] | undefined {
  if (isLoopback(url)) return undefined;
  if (url.origin === ATTESTATION_HOSTS.live) return 'live';
  return TESTNET_HOST.test(url.hostname) ? 'test' : undefined;
}

function checkChains({ kind, chains = [] }: Entity): string[] {
  return chains.flatMap((blockchain) => {
    const problem = checkChain({ kind }, blockchain);
    return problem ? [`chains: ${problem}`] : [];
  });
}

function keyName(kind: Entity['kind']): string {
  return kind === 'live' ? 'LIVE_API_KEY' : 'TEST_API_KEY';
}

function namesOf(list: string | undefined): string[] {
  return (list ?? '').split(',').map((name) => name.trim());
}
