import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkEntitySecret } from '../crypto/entitySecret';
import type { Logger } from '../logger';
import { checkApiKey, type ApiKey } from './auth';
import { Ciphertexts } from './ciphertexts';
import { WorldClock } from './clock';
import { forward } from './crossChain/forwarding';
import { HostLimit } from './crossChain/hostLimit';
import { entityKey, type EntityKey } from './entityKey';
import { Faults } from './faults';
import { IdempotencyKeys } from './idempotency';
import { Journal } from './journal';
import { Limits } from './limits';
import { Random } from './random';
import { RecoveryFiles } from './recoveryFiles';
import { makeSettings, type WorldOptions } from './settings';
import { NO_LOG, type InputLog } from './state/inputs';
import type { Opening } from './state/opening';
import type { StateFile } from './state/stateFile';
import { Store } from './store';
import { WebhookFaults } from './webhookFaults';
import { Webhooks } from './webhooks';
import type { World } from './world';

/** Names a world where its key must not stand. */
export function worldId(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 16);
}

/** What the world of nobody is made from; no request can carry it. */
const COMMONS_KEY = 'TEST_API_KEY commons';

/** The worlds of an emulator, by API key. */
export class Worlds {
  readonly #worlds = new Map<string, { world: World; options: WorldOptions }>();
  /** API keys of worlds that were there before, until somebody opens them. */
  readonly #unclaimed = new Set<string>();
  #commons: World | undefined;

  constructor(
    private readonly options: {
      clockSpeed: number;
      /** Whether an API key that nobody opened gets a world of its own, without an entity secret, on its first use. */
      open: boolean;
      /** The process's own without it. */
      entityKey?: EntityKey | undefined;
      /** Where worlds are kept. */
      state?: StateFile | undefined;
      logger: Logger | undefined;
    },
  ) {}

  /**
   * A new world; or one that was kept, which goes on if the options are those that it was opened with.
   * @throws Error that names what is wrong with key or secret, and repeats neither
   */
  open(options: WorldOptions): World {
    const problem =
      checkApiKey(options.apiKey) ?? (options.entitySecret && checkEntitySecret(options.entitySecret)) ?? undefined;
    if (problem) throw new Error(problem);
    const known = this.#worlds.get(options.apiKey);
    if (known && this.#unclaimed.delete(options.apiKey)) {
      requireSame(known.options, options);
      return known.world;
    }
    if (known) throw new Error('A world of this API key exists already');
    const opening = this.#opening(options, options.entitySecret);
    this.options.state?.keepWorld(worldId(options.apiKey), opening);
    return this.#put(options, this.#make(opening));
  }

  /** A world as it was opened before, which stands still until `release`. */
  reopen(opening: Opening): World {
    const { options } = opening;
    this.#unclaimed.add(options.apiKey);
    return this.#put(options, this.#make(opening, { held: true }));
  }

  /** Worlds that were reopened go on. */
  release(): void {
    for (const { clock, webhooks } of this.all()) {
      clock.release();
      webhooks.release();
    }
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
    this.#commons ??= this.#make(this.#opening({ apiKey: COMMONS_KEY }, undefined), { log: NO_LOG });
    return this.#commons;
  }

  /** Puts a new world, as it was when it was opened, in the place of this one; it keeps its entity secret and what resets that. */
  reset(apiKey: string): World {
    const known = this.#worlds.get(apiKey);
    if (!known) throw new Error('There is no world of this API key');
    const { entitySecret, recoveryFiles } = known.world;
    const opening = { ...this.#opening(known.options, entitySecret), recoveryFiles: recoveryFiles.issued };
    this.options.state?.restartWorld(worldId(apiKey), opening);
    closeWorld(known.world);
    return this.#put(known.options, this.#make(opening));
  }

  /** Their clocks stop where they stand. */
  close(): void {
    for (const world of this.all()) {
      world.log.add({ at: world.clock.now().getTime() });
      closeWorld(world);
    }
    if (this.#commons) closeWorld(this.#commons);
    this.#worlds.clear();
  }

  #put(options: WorldOptions, world: World): World {
    this.#worlds.set(options.apiKey, { world, options });
    return world;
  }

  #opening(options: WorldOptions, entitySecret: string | undefined): Opening {
    return { options, entitySecret, recoveryFiles: 0, at: Date.now(), speed: this.options.clockSpeed };
  }

  #make({ options, entitySecret, recoveryFiles, at, speed }: Opening, { held = false, log }: MakeOptions = {}): World {
    const { apiKey, entitySecret: _first, ...settings } = options;
    const inputs = log ?? this.options.state?.logOf(worldId(apiKey)) ?? NO_LOG;
    const clock = new WorldClock({
      speed,
      startAt: at,
      held,
      onMoved: (time) => inputs.add({ at: time }),
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
      keyRandom: new Random(`${apiKey}/webhookKeys`),
      faults: webhookFaults,
      settings: worldSettings,
      log: inputs,
      held,
    });
    const world: World = {
      apiKey,
      kind: apiKey.startsWith('LIVE') ? 'live' : 'test',
      keyState: 'active',
      entitySecret: entitySecret?.toLowerCase(),
      recoveryFiles: new RecoveryFiles(new Random(`${apiKey}/recovery`), recoveryFiles),
      entityKey: this.options.entityKey ?? entityKey(),
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
      log: inputs,
    };
    world.store.crossChain.onAttested = (row) => {
      if (row.forwarding) forward(world, row, row.forwarding);
    };
    return world;
  }
}

interface MakeOptions {
  held?: boolean;
  log?: InputLog;
}

/** @throws Error when an option is given that the kept world was not opened with */
function requireSame(kept: WorldOptions, given: WorldOptions): void {
  const before = { ...makeSettings(), ...kept } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || isDeepStrictEqual(value, before[name])) continue;
    throw new Error(
      `${name}: the world of this API key is kept in the state file and was opened with another; ` +
        'give that one, change it by a control, or name another state file',
    );
  }
}

function closeWorld(world: World): void {
  world.clock.close();
  world.webhooks.close();
}
