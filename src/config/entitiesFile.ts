import { z } from 'zod';
import { checkEntity, defaultHosts, type Entity, ENTITY_NAME } from '../api/entity';
import { BLOCKCHAINS } from '../domain/chains';
import { Duration } from './duration';
import { type Problem, schemaProblems } from './problem';
import { type Environment, folderOf, type Sources } from './sources';

const fileField = z.string({ error: 'must be the path of a file; write it relative to this file, or absolute' }).min(1);
const hostField = z.string({ error: 'must be an origin; write "https://api.circle.com"' });

/** The server's schedules have a resolution of seconds. Flows read for themselves after ten minutes. */
const MIN_SWEEP_MS = 1_000;
const MAX_SWEEP_MS = 5 * 60_000;

const EntitySchema = z.strictObject(
  {
    kind: z.enum(['test', 'live'], { error: 'must be "test" or "live"; choose the kind of its API key' }),
    apiKeyFile: fileField,
    entitySecretFile: fileField.optional(),
    hosts: z.strictObject({ api: hostField, attestation: hostField.optional() }).optional(),
    chains: z
      .array(
        z.enum(BLOCKCHAINS, {
          error: 'is not a blockchain of the API; use the name that the API uses, such as "ETH" or "MATIC-AMOY"',
        }),
      )
      .min(1, 'is empty; name at least one blockchain, or omit "chains" to allow all of the entity\'s kind')
      .optional(),
    maxOutstanding: z
      .int({ error: 'must be a whole number; write 16' })
      .min(1, 'must be at least 1; write 16')
      .max(1_000, 'must be at most 1000; write 16')
      .optional(),
    sweepEvery: Duration.refine((ms) => ms >= MIN_SWEEP_MS && ms <= MAX_SWEEP_MS, {
      error: 'must be from 1 second to 5 minutes; write "10 seconds"',
    }).optional(),
    events: z
      .strictObject({
        url: z.string({ error: 'must be a URL; write "https://backend.example/walletflow-events"' }),
        secretFile: fileField,
        steps: z.boolean({ error: 'must be true or false; choose one' }).optional(),
      })
      .optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object; see docs/configuration.md' : undefined) },
);

/**
 * ```json
 * { "main": { "kind": "test", "apiKeyFile": "main.key", "entitySecretFile": "main.secret",
 *             "hosts": { "api": "https://api.circle.com" }, "chains": ["ETH-SEPOLIA"],
 *             "events": { "url": "https://backend.example/walletflow-events", "secretFile": "main.events" } } }
 * ```
 * Without `hosts`, the public hosts apply. Without `chains`, all blockchains of the kind are allowed. Without
 * `maxOutstanding`, it is 16. Without `sweepEvery`, there are no sweeps. Without `events`, its flows send no events.
 */
const EntitiesFileSchema = z
  .record(z.string().regex(ENTITY_NAME, 'is not an entity name; use 1 to 32 of a-z, 0-9 and "-"'), EntitySchema, {
    error: 'must be an object; write { "<entity>": { … } }',
  })
  .refine((file) => Object.keys(file).length > 0, 'has no entity; add one');

export type EntitiesFile = z.output<typeof EntitiesFileSchema>;

/** The entities file, without the secrets in the files that it names. Undefined if it has problems. */
export function readEntitiesFile(path: string, sources: Sources): EntitiesFile | undefined {
  const json = sources.json({ where: 'WALLETFLOW_ENTITIES_FILE', path });
  if (json === undefined) return undefined;
  const parsed = EntitiesFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  sources.problems.push(...schemaProblems(parsed.error, path));
  return undefined;
}

/** The entities without problems, with their secrets. */
export function loadEntities(file: EntitiesFile, path: string, sources: Sources, env: Environment): Entity[] {
  const base = folderOf(path);
  return Object.entries(file).flatMap(
    ([name, { apiKeyFile, entitySecretFile, hosts, events, sweepEvery, ...rest }]) => {
      const where = `${path} ${name}`;
      const secret = (field: string, secretPath: string) =>
        sources.file({ where: `${where}.${field}`, path: secretPath, base })?.trim();

      const apiKey = secret('apiKeyFile', apiKeyFile);
      const entitySecret = entitySecretFile && secret('entitySecretFile', entitySecretFile);
      const eventSecret = events && secret('events.secretFile', events.secretFile);
      if (apiKey === undefined || (entitySecretFile && entitySecret === undefined)) return [];
      if (events && eventSecret === undefined) return [];

      const entity = {
        name,
        apiKey,
        ...(entitySecret && { entitySecret }),
        hosts: hosts ?? defaultHosts(rest.kind),
        ...(events && eventSecret && { events: { url: events.url, secret: eventSecret, steps: events.steps } }),
        ...(sweepEvery !== undefined && { sweepEveryMs: sweepEvery }),
        ...rest,
      };
      const problems = checkEntity(entity, env);
      sources.problems.push(...problems.map((problem) => entityProblem(where, problem)));
      return problems.length === 0 ? [entity] : [];
    },
  );
}

/** The field of the file by the name that `checkEntity` uses, for names that differ. */
const FIELDS: Readonly<Record<string, string>> = {
  apiKey: 'apiKeyFile',
  'entity secret': 'entitySecretFile',
  'events.secret': 'events.secretFile',
};

/** Parses a problem that `checkEntity` returns, which has the form `field: what is wrong. Remedy`. */
function entityProblem(where: string, text: string): Problem {
  const [, field, what = text, remedy = ''] = /^([\w. ]+): (.*?)\. ([A-Z].*)$/s.exec(text) ?? [];
  return {
    where: field ? `${where}.${FIELDS[field] ?? field}` : where,
    what,
    remedy: remedy.replace(/\.?$/, '.'),
  };
}
