import { z } from 'zod';
import { OPERATION_IDS, type OperationId } from '../api/contract';
import type { Random } from './random';

/** Before the request is looked at (nothing is done, nothing counted), or after it was carried out. */
const when = z.enum(['before', 'after']);

/**
 * What a fault does to a request. `when` says whether the request is carried out nevertheless; where it stands fixed,
 * the other would make no sense.
 */
const action = z.union([
  /** Another answer. Without `body` it is the API's error body with `code`. */
  z.strictObject({
    status: z.number().int().min(200).max(599),
    code: z.number().int().optional(),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    when: when.default('before'),
  }),
  /** Real time. `before`: the request is carried out later; `after`: only the reply is late. Combines with others. */
  z.strictObject({ delayMs: z.number().int().nonnegative(), when: when.default('before') }),
  /** The connection breaks and no reply is sent. */
  z.strictObject({ drop: when }),
  /** The connection breaks half-way through the reply. */
  z.strictObject({ truncate: z.literal(true) }),
  /** Status 200 and a page of HTML, as of a proxy. */
  z.strictObject({ html: z.literal(true), when: when.default('before') }),
  /** Status 302 to this URL. */
  z.strictObject({ redirect: z.string(), when: when.default('before') }),
  /** The reply with every text, number and truth value of another type. */
  z.strictObject({ wrongType: z.literal(true) }),
]);

export const faultSchema = z.strictObject({
  /** Which requests; every part given has to fit, and without any all do. */
  operation: z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]).optional(),
  method: z.string().toUpperCase().optional(),
  pathPrefix: z.string().optional(),
  /** Requests that fit and are let through first. */
  skip: z.number().int().nonnegative().default(0),
  /** Requests that are struck; without it all. */
  count: z.number().int().positive().optional(),
  /** Share of the requests that is struck, drawn from the world's seed. */
  rate: z.number().min(0).max(1).default(1),
  action,
});

export type FaultAction = z.output<typeof action>;
export type FaultSpec = z.input<typeof faultSchema>;

/** A fault as listed: what was asked for, and how often it struck. */
export type Fault = z.output<typeof faultSchema> & { id: string; struck: number };

interface Target {
  operation: OperationId;
  method: string;
  path: string;
}

/** What goes wrong on purpose in a world. */
export class Faults {
  readonly #faults = new Map<string, { fault: Fault; toSkip: number }>();

  constructor(private readonly random: Random) {}

  add(spec: z.output<typeof faultSchema>): Fault {
    const fault: Fault = { id: this.random.uuid(), ...spec, struck: 0 };
    this.#faults.set(fault.id, { fault, toSkip: fault.skip });
    return fault;
  }

  list(): Fault[] {
    return [...this.#faults.values()].map(({ fault }) => fault);
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    return this.#faults.delete(id);
  }

  clear(): void {
    this.#faults.clear();
  }

  /**
   * The faults that strike a request at this point of its way, in the order in which they were added: any number of
   * delays, then at most one that decides the reply. `after` is asked only for requests that succeeded.
   */
  strike(target: Target, point: 'before' | 'after'): Fault[] {
    const struck: Fault[] = [];
    let decided = false;
    for (const entry of this.#faults.values()) {
      const { fault } = entry;
      if (pointOf(fault.action) !== point || !fits(fault, target)) continue;
      if (fault.count !== undefined && fault.struck >= fault.count) continue;
      if (entry.toSkip > 0) {
        entry.toSkip -= 1;
        continue;
      }
      const decides = !('delayMs' in fault.action);
      if ((decides && decided) || this.random.fraction() >= fault.rate) continue;
      fault.struck += 1;
      decided ||= decides;
      struck.push(fault);
    }
    return struck;
  }
}

function pointOf(action: FaultAction): 'before' | 'after' {
  if ('drop' in action) return action.drop;
  return 'when' in action ? action.when : 'after';
}

function fits(fault: Fault, { operation, method, path }: Target): boolean {
  return (
    (fault.operation === undefined || fault.operation === operation) &&
    (fault.method === undefined || fault.method === method) &&
    (fault.pathPrefix === undefined || path.startsWith(fault.pathPrefix))
  );
}
