import { type Flows, openFlows } from '../../src/client/openFlows';
import { KeyRing, type KeyRingFile } from '../../src/crypto/keyRing';
import { openGateway, subscribe, type TestGateway } from './gateway';
import { type Stack, TEMPORAL } from './stack';
import { createWorkerSetup, type WorkerProcess, type WorkerSetup } from './workerProcess';

/** The processes of an installation, in the order in which they are restarted. */
export const PROCESSES = ['worker 1', 'worker 2', 'gateway', 'backend'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/**
 * Two worker processes, a gateway and a backend of one stack, each of which can be restarted with another key ring. The
 * stack itself runs no workers. Gateway and backend run in the test's process, with connections of their own.
 */
export class Installation {
  /** The backend. */
  flows!: Flows;
  readonly #stack: Stack;
  readonly #rings = new Map<ProcessName, KeyRingFile>();
  readonly #workers = new Map<ProcessName, WorkerProcess>();
  readonly #setups = new Map<KeyRingFile, WorkerSetup>();
  #gateway: { server: TestGateway; flows: Flows } | undefined;

  private constructor(stack: Stack) {
    this.#stack = stack;
  }

  static async start(stack: Stack, ring: KeyRingFile): Promise<Installation> {
    const installation = new Installation(stack);
    for (const name of PROCESSES) await installation.restart(name, ring);
    await subscribe(stack, installation.#gateway!.server.endpoint);
    return installation;
  }

  /** Stops one process as an orchestrator does, and starts it with this key ring. */
  async restart(name: ProcessName, ring: KeyRingFile): Promise<void> {
    if (name === 'backend') {
      await (this.flows as Flows | undefined)?.close();
      this.flows = await this.#connect(ring);
    } else if (name === 'gateway') {
      await this.#restartGateway(ring);
    } else {
      await this.#workers.get(name)?.end('SIGTERM');
      this.#workers.set(name, await (await this.#setup(ring)).start());
    }
    this.#rings.set(name, ring);
  }

  /** The ids of the keys that each process has, the current one first. */
  rings(): Record<ProcessName, string> {
    const ids = (name: ProcessName) => new KeyRing(this.#rings.get(name)!).ids.join(' ');
    return Object.fromEntries(PROCESSES.map((name) => [name, ids(name)])) as Record<ProcessName, string>;
  }

  /** What all worker processes wrote. */
  workerOutput(): string {
    return [...new Set(this.#workers.values())].map((worker) => worker.output()).join('');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.end('SIGKILL')));
    await this.#gateway?.server.close();
    await Promise.all([this.#gateway?.flows.close(), (this.flows as Flows | undefined)?.close()]);
    await Promise.all([...this.#setups.values()].map((setup) => setup.remove()));
  }

  async #restartGateway(keyRingFile: KeyRingFile): Promise<void> {
    const port = Number(this.#gateway ? new URL(this.#gateway.server.url).port : 0);
    await this.#gateway?.server.close();
    await this.#gateway?.flows.close();
    const flows = await this.#connect(keyRingFile);
    const keyRing = new KeyRing(keyRingFile);
    this.#gateway = { server: await openGateway({ ...this.#stack, keyRing, flows }, flows.client, port), flows };
  }

  #connect(keyRingFile: KeyRingFile): Promise<Flows> {
    const { entity, sealingKeys } = this.#stack;
    return openFlows({ entity: entity.name, keyRing: new KeyRing(keyRingFile), sealingKeys, temporal: TEMPORAL });
  }

  async #setup(keyRingFile: KeyRingFile): Promise<WorkerSetup> {
    const setup = this.#setups.get(keyRingFile) ?? (await createWorkerSetup({ ...this.#stack, keyRingFile }));
    this.#setups.set(keyRingFile, setup);
    return setup;
  }
}
