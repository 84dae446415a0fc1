import { createHash } from 'node:crypto';
import { checkEntitySecret } from '../crypto/entitySecret';
import type { Logger } from '../logger';
import { checkApiKey, type ApiKey } from './auth';
import { Ciphertexts } from './ciphertexts';
import { WorldClock } from './clock';
import { forward } from './crossChain/forwarding';
import { HostLimit } from './crossChain/hostLimit';
import { entityKey } from './entityKey';
import { Faults } from './faults';
import { IdempotencyKeys } from './idempotency';
import { Journal } from './journal';
import { Limits } from './limits';
import { Random } from './random';
import { RecoveryFiles } from './recoveryFiles';
import { makeSettings, type SettingsPatch } from './settings';
import { Store } from './store';
import { WebhookFaults } from './webhookFaults';
import { Webhooks } from './webhooks';
import type { World } from './world';

/** What a world begins with. */
export interface WorldOptions extends SettingsPatch {
  /** `TEST_API_KEY:<id>:<secret>`, or `LIVE_API_KEY:emulator:<secret>`. */
  apiKey: string;
  /** 64 hex characters; without it the entity has no secret yet (`156016`). */
  entitySecret?: string | undefined;
}

/** Names a world where its key must not stand. */
export function worldId(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 16);
}

/** What the world of nobody is made from; no request can carry it. */
const COMMONS_KEY = 'TEST_API_KEY commons';

/** The worlds of an emulator, by API key. */
export class Worlds {
  readonly #worlds = new Map<string, { world: World; options: WorldOptions }>();
  #commons: World | undefined;

  constructor(
    private readonly options: {
      clockSpeed: number;
      /** Whether an API key that nobody opened gets a world of its own, without an entity secret, on its first use. */
      open: boolean;
      logger: Logger | undefined;
    },
  ) {}

  /** @throws Error that names what is wrong with key or secret, and repeats neither */
  open(options: WorldOptions): World {
    const problem =
      checkApiKey(options.apiKey) ?? (options.entitySecret && checkEntitySecret(options.entitySecret)) ?? undefined;
    if (problem) throw new Error(problem);
    if (this.#worlds.has(options.apiKey)) throw new Error('A world of this API key exists already');
    const world = this.#make(options);
    this.#worlds.set(options.apiKey, { world, options });
    return world;
  }

  find(key: ApiKey): World | undefined {
    const found = this.#worlds.get(key.text)?.world;
    if (found || !this.options.open || checkApiKey(key.text)) return found;
    return this.open({ apiKey: key.text });
  }

  get(apiKey: string): World | undefined {
    return this.#worlds.get(apiKey)?.world;
  }

  all(): World[] {
    return [...this.#worlds.values()].map(({ world }) => world);
  }

  /** Of attestation requests that belong to no other world: everything in it is as it was made. */
  commons(): World {
    this.#commons ??= this.#make({ apiKey: COMMONS_KEY });
    return this.#commons;
  }

  /** Puts a new world, as it was when it was opened, in the place of this one; it keeps its entity secret and what resets that. */
  reset(apiKey: string): World {
    const known = this.#worlds.get(apiKey);
    if (!known) throw new Error('There is no world of this API key');
    closeWorld(known.world);
    const { entitySecret, recoveryFiles } = known.world;
    const world = this.#make({ ...known.options, entitySecret }, recoveryFiles);
    this.#worlds.set(apiKey, { world, options: known.options });
    return world;
  }

  close(): void {
    for (const world of this.all()) closeWorld(world);
    if (this.#commons) closeWorld(this.#commons);
    this.#worlds.clear();
  }

  #make(
    { apiKey, entitySecret, ...settings }: WorldOptions,
    recoveryFiles = new RecoveryFiles(new Random(`${apiKey}/recovery`)),
  ): World {
    const clock = new WorldClock({
      speed: this.options.clockSpeed,
      onError: (error) => this.options.logger?.error({ err: error }, 'an event of the emulated world threw'),
      quiet: () => webhooks.quiet(),
    });
    const random = new Random(apiKey);
    const worldSettings = makeSettings(settings);
    // A stream of its own, as for faults: how often they draw does not change the ids and keys of the rest.
    const webhookFaults = new WebhookFaults(new Random(`${apiKey}/webhookFaults`));
    const webhooks = new Webhooks({
      clock,
      random: new Random(`${apiKey}/webhooks`),
      faults: webhookFaults,
      settings: worldSettings,
    });
    const world: World = {
      apiKey,
      kind: apiKey.startsWith('LIVE') ? 'live' : 'test',
      keyState: 'active',
      entitySecret: entitySecret?.toLowerCase(),
      recoveryFiles,
      entityKey: entityKey(),
      clock,
      settings: worldSettings,
      store: new Store(),
      webhooks,
      webhookFaults,
      random,
      limits: new Limits(),
      hostLimit: new HostLimit(),
      faults: new Faults(new Random(`${apiKey}/faults`)),
      journal: new Journal(),
      idempotencyKeys: new IdempotencyKeys(),
      ciphertexts: new Ciphertexts(),
    };
    world.store.crossChain.onAttested = (row) => {
      if (row.forwarding) forward(world, row, row.forwarding);
    };
    return world;
  }
}

function closeWorld(world: World): void {
  world.clock.close();
  world.webhooks.close();
}
