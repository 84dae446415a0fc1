import { findEndpoint, type OperationId } from '../../../src/api/contract';
import { chainControls } from '../../../src/emulator/control/chain';
import { ApiErrorResponse } from '../../../src/emulator/errors/apiErrorResponse';
import { handlers } from '../../../src/emulator/handlers';
import { processRequest } from '../../../src/emulator/http/pipeline';
import type { World } from '../../../src/emulator/world/world';
import { Worlds } from '../../../src/emulator/worlds';
import type { Logger } from '../../../src/logger';

const API_KEY = 'TEST_API_KEY:random:life';
const SECRET = 'ab'.repeat(32);

export interface Request {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/**
 * A world in this process for random operations. Requests pass through the whole pipeline except HTTP and RSA decryption of
 * ciphertexts, which would take most of the time. `thrown` collects errors of the clock's events.
 */
export class RandomWorld {
  readonly world: World;
  readonly thrown: unknown[] = [];
  #ciphertexts = 0;
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    const logger = { error: ({ err }: { err: unknown }) => this.thrown.push(err) } as unknown as Logger;
    const worlds = new Worlds({ clockSpeed: 0, openUnknownKeys: false, logger });
    const world = worlds.open({
      apiKey: API_KEY,
      entitySecret: SECRET,
      limits: false,
      eip1559: { 'AVAX-FUJI': false },
    });
    const entityKey = {
      ready: Promise.resolve(),
      publicKeyPem: '',
      decrypt: () => SECRET,
    } as unknown as World['entityKey'];
    this.world = { ...world, entityKey };
  }

  /** A pseudo-random integer from 0 to below `limit`. The sequence depends only on the seed. */
  draw(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.draw(values.length)]!;
  }

  chance(oneIn: number): boolean {
    return this.draw(oneIn) === 0;
  }

  /** @returns the `data` of a success @throws ApiErrorResponse for a rejection; any other error would be a 5xx */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses by path
  send(operation: OperationId, { params = {}, query = {}, body = {} }: Request): any {
    const { auth, idempotency } = findEndpoint(operation);
    const proof = auth === 'entitySecret' && { entitySecretCiphertext: btoa(`${this.#ciphertexts++}`) };
    const key = idempotency === 'key' && { idempotencyKey: this.world.random.uuid() };
    const incoming = {
      operation,
      params,
      query,
      body: { ...key, ...proof, ...body },
      url: 'http://host',
      userToken: undefined,
    };
    const { body: response } = processRequest(this.world, incoming, handlers[operation], undefined);
    return (response as { data: unknown } | undefined)?.data;
  }

  /** Runs a control by name. @throws ApiErrorResponse */
  control(name: string, params: object, body?: object): void {
    chainControls[name]!.run(this.world, { params, body, query: undefined } as never, undefined as never);
  }

  advance(milliseconds: number): Promise<number> {
    return this.world.clock.advanceTo(new Date(this.world.clock.now().getTime() + milliseconds));
  }

  /** @returns whether the operation succeeded; false for a rejection with a status below 500 @throws any other error */
  attempt(operation: () => void): boolean {
    try {
      operation();
      return true;
    } catch (error) {
      if (error instanceof ApiErrorResponse && error.status < 500) return false;
      throw error;
    }
  }
}
