import { findEndpoint, type OperationId } from '../../../src/api/contract';
import { handlers } from '../../../src/emulator/areas';
import { chainControls } from '../../../src/emulator/control/chain';
import { accept } from '../../../src/emulator/pipeline';
import { Refusal } from '../../../src/emulator/refusal';
import type { World } from '../../../src/emulator/world';
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
 * A world in this process: requests go through the whole pipeline, HTTP and the RSA of ciphertexts apart, which would take
 * most of the time. What its clock's events throw is kept.
 */
export class RandomLife {
  readonly world: World;
  readonly thrown: unknown[] = [];
  #ciphertexts = 0;
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    const logger = { error: ({ err }: { err: unknown }) => this.thrown.push(err) } as unknown as Logger;
    const worlds = new Worlds({ clockSpeed: 0, open: false, logger });
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

  /** An integer from 0 to below `limit`: the same ones for a seed. */
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

  /** The `data` of a success. @throws Refusal; anything else that is thrown would be a 5xx */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers by path
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
    const { body: answer } = accept(this.world, incoming, handlers[operation], undefined);
    return (answer as { data: unknown } | undefined)?.data;
  }

  /** A control by its name. @throws Refusal */
  control(name: string, params: object, body?: object): void {
    chainControls[name]!.run(this.world, { params, body, query: undefined } as never, undefined as never);
  }

  advance(milliseconds: number): Promise<number> {
    return this.world.clock.advanceTo(new Date(this.world.clock.now().getTime() + milliseconds));
  }

  /** Whether it was refused: below 500. @throws what else is thrown */
  attempt(operation: () => void): boolean {
    try {
      operation();
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return false;
      throw error;
    }
  }
}
