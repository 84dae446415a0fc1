import { isDeepStrictEqual } from 'node:util';
import { checkEntitySecret } from '../crypto/entitySecret';
import type { Logger } from '../logger';
import { ContractLibrary } from './contracts/state';
import { type ApiKey, checkApiKey } from './credentials/apiKey';
import { Ciphertexts } from './credentials/ciphertexts';
import { type EntityKey, sharedEntityKey } from './credentials/entityKey';
import { RecoveryFiles } from './credentials/recoveryFiles';
import { CrossChainState } from './crossChain/state';
import { EvmState } from './evm/state';
import { RequestFaults } from './faults/requestFaults';
import { WebhookFaults } from './faults/webhookFaults';
import { forward } from './forwarding/forwarding';
import { WorldClock } from './kit/clock';
import { Random } from './kit/random';
import { RampState } from './ramp/state';
import { AttestationRateLimit } from './requests/attestationRateLimit';
import { IdempotencyKeys } from './requests/idempotency';
import { Journal } from './requests/journal';
import { RateLimits } from './requests/rateLimits';
import { ScreeningState } from './screening/state';
import { makeSettings, type WorldOptions } from './settings';
import { type InputLog, NO_LOG } from './state/inputs';
import type { StateFile } from './state/stateFile';
import type { WorldStart } from './state/worldStart';
import { TravelRuleState } from './travelRule/state';
import { UserStore } from './users/rows';
import { Webhooks } from './webhooks/webhooks';
import { Store } from './world/store';
import type { World } from './world/world';
import { worldId, type WorldRegistry } from './world/worldRegistry';

/** Seeds the shared world. It is not a well-formed API key, so no request can carry it. */
const SHARED_KEY = 'TEST_API_KEY commons';

export class Worlds implements WorldRegistry {
  readonly #worlds = new Map<string, { world: World; options: WorldOptions }>();
  /** API keys of worlds that were restored from the state file and not opened in this process yet. */
  readonly #unclaimed = new Set<string>();
  #sharedWorld: World | undefined;

  constructor(
    private readonly options: {
      clockSpeed: number;
      /** Opens a world without an entity secret on the first use of an unknown API key. */
      openUnknownKeys: boolean;
      /** Default: the process's own key. */
      entityKey?: EntityKey | undefined;
      /** Saves the worlds. */
      state?: StateFile | undefined;
      logger: Logger | undefined;
    },
  ) {}

  /**
   * Opens a new world, or claims a restored one if the options are those that it was first opened with.
   * @throws Error that names the invalid key, secret or option without repeating its value
   */
  open(options: WorldOptions): World {
    const problem =
      checkApiKey(options.apiKey) ?? (options.entitySecret && checkEntitySecret(options.entitySecret)) ?? undefined;
    if (problem) throw new Error(problem);
    const known = this.#worlds.get(options.apiKey);
    if (known && this.#unclaimed.delete(options.apiKey)) {
      requireSameOptions(known.options, options);
      return known.world;
    }
    if (known) throw new Error('A world of this API key already exists');
    const start = this.#startOf(options, options.entitySecret);
    this.options.state?.saveWorld(worldId(options.apiKey), start);
    return this.#register(options, this.#create(start));
  }

  /** Recreates a saved world as it was first opened. It is paused until `resume`. */
  reopen(start: WorldStart): World {
    const { options } = start;
    this.#unclaimed.add(options.apiKey);
    return this.#register(options, this.#create(start, { paused: true }));
  }

  /** Starts the worlds that were reopened. */
  resume(): void {
    for (const { clock, webhooks } of this.all()) {
      clock.resume();
      webhooks.resume();
    }
  }

  find(key: ApiKey): World | undefined {
    const found = this.#worlds.get(key.text)?.world;
    if (found || !this.options.openUnknownKeys || checkApiKey(key.text)) return found;
    return this.open({ apiKey: key.text });
  }

  get(apiKey: string): World | undefined {
    return this.#worlds.get(apiKey)?.world;
  }

  all(): World[] {
    return [...this.#worlds.values()].map(({ world }) => world);
  }

  sharedWorld(): World {
    this.#sharedWorld ??= this.#create(this.#startOf({ apiKey: SHARED_KEY }, undefined), { log: NO_LOG });
    return this.#sharedWorld;
  }

  /** @throws Error if the world does not exist */
  reset(apiKey: string): World {
    const known = this.#worlds.get(apiKey);
    if (!known) throw new Error('No world has this API key');
    const { entitySecret, recoveryFiles } = known.world;
    const start = { ...this.#startOf(known.options, entitySecret), recoveryFiles: recoveryFiles.issued };
    this.options.state?.restartWorld(worldId(apiKey), start);
    closeWorld(known.world);
    return this.#register(known.options, this.#create(start));
  }

  /** Stops all clocks and records the time of each. */
  close(): void {
    for (const world of this.all()) {
      world.inputLog.add({ at: world.clock.now().getTime() });
      closeWorld(world);
    }
    if (this.#sharedWorld) closeWorld(this.#sharedWorld);
    this.#worlds.clear();
  }

  #register(options: WorldOptions, world: World): World {
    this.#worlds.set(options.apiKey, { world, options });
    return world;
  }

  #startOf(options: WorldOptions, entitySecret: string | undefined): WorldStart {
    return { options, entitySecret, recoveryFiles: 0, at: Date.now(), speed: this.options.clockSpeed };
  }

  #create(
    { options, entitySecret, recoveryFiles, at, speed }: WorldStart,
    { paused = false, log }: CreateOptions = {},
  ): World {
    const { apiKey, entitySecret: _first, ...settings } = options;
    const inputLog = log ?? this.options.state?.logOf(worldId(apiKey)) ?? NO_LOG;
    const clock = new WorldClock({
      speed,
      startAt: at,
      paused,
      onAdvanced: (time) => inputLog.add({ at: time }),
      onError: (error) => this.options.logger?.error({ err: error }, 'an event of the emulated world threw'),
      whenIdle: () => webhooks.whenIdle(),
    });
    const random = new Random(apiKey);
    const worldSettings = makeSettings(settings);
    // Faults, webhooks and recovery files use separate random streams, so that they do not affect other ids and keys.
    const webhookFaults = new WebhookFaults(new Random(`${apiKey}/webhookFaults`));
    const webhooks = new Webhooks({
      clock,
      random: new Random(`${apiKey}/webhooks`),
      keyRandom: new Random(`${apiKey}/webhookKeys`),
      faults: webhookFaults,
      settings: worldSettings,
      log: inputLog,
      paused,
    });
    const world: World = {
      apiKey,
      kind: apiKey.startsWith('LIVE') ? 'live' : 'test',
      keyState: 'active',
      entitySecret: entitySecret?.toLowerCase(),
      recoveryFiles: new RecoveryFiles(new Random(`${apiKey}/recovery`), recoveryFiles),
      entityKey: this.options.entityKey ?? sharedEntityKey(),
      clock,
      settings: worldSettings,
      store: new Store(),
      evm: new EvmState(),
      contractLibrary: new ContractLibrary(),
      crossChain: new CrossChainState(),
      screening: new ScreeningState(),
      users: new UserStore(),
      ramp: new RampState(),
      travelRule: new TravelRuleState(),
      webhooks,
      webhookFaults,
      random,
      rateLimits: new RateLimits(),
      attestationLimit: new AttestationRateLimit(),
      faults: new RequestFaults(new Random(`${apiKey}/faults`)),
      journal: new Journal(),
      idempotencyKeys: new IdempotencyKeys(),
      ciphertexts: new Ciphertexts(),
      inputLog,
    };
    world.crossChain.onAttested = (row) => {
      if (row.forwarding) forward(world, row, row.forwarding);
    };
    return world;
  }
}

interface CreateOptions {
  paused?: boolean;
  log?: InputLog;
}

/** @throws Error if an option differs from the one that the saved world was opened with; options left out are not compared */
function requireSameOptions(saved: WorldOptions, options: WorldOptions): void {
  const expected = { ...makeSettings(), ...saved } as Record<string, unknown>;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || isDeepStrictEqual(value, expected[name])) continue;
    throw new Error(
      `${name}: the state file has a world of this API key that was opened with a different value; ` +
        'pass that value, change the setting through the control API, or choose another state file',
    );
  }
}

function closeWorld(world: World): void {
  world.clock.close();
  world.webhooks.close();
}
