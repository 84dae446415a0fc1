import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { OPERATION_IDS, type OperationId } from '../api/contract';
import { realMs } from './duration';
import { FaultList, portion, type Listed } from './faultList';

/** What Node.js can't send it would refuse at each request that is struck. */
const headers = z.record(z.string(), z.string()).refine(canBeSent, 'these can not stand in an HTTP header');

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
    headers: headers.optional(),
    when: when.default('before'),
  }),
  /** Real time. `before`: the request is carried out later; `after`: only the reply is late. Combines with others. */
  z.strictObject({ delayMs: realMs.int(), when: when.default('before') }),
  /** The connection breaks and no reply is sent. */
  z.strictObject({ drop: when }),
  /** The connection breaks half-way through the reply. */
  z.strictObject({ truncate: z.literal(true) }),
  /** Status 200 and a page of HTML, as of a proxy. */
  z.strictObject({ html: z.literal(true), when: when.default('before') }),
  /** Status 302 to this URL. */
  z.strictObject({
    redirect: z.string().refine((location) => canBeSent({ location }), 'this can not stand in the header Location'),
    when: when.default('before'),
  }),
  /** The reply with every text, number and truth value of another type. */
  z.strictObject({ wrongType: z.literal(true) }),
]);

export const faultSchema = z.strictObject({
  /** Which requests; every part given has to fit, and without any all do. */
  operation: z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]).optional(),
  method: z.string().toUpperCase().optional(),
  pathPrefix: z.string().optional(),
  ...portion,
  action,
});

function canBeSent(given: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(given)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}

export type FaultAction = z.output<typeof action>;
export type FaultSpec = z.input<typeof faultSchema>;

/** A fault as listed: what was asked for, and how often it struck. */
export type Fault = Listed<z.output<typeof faultSchema>>;

export interface Target {
  operation: OperationId;
  method: string;
  path: string;
}

/** What goes wrong on purpose with requests to a world. */
export class Faults extends FaultList<z.output<typeof faultSchema>> {
  /**
   * The faults that strike a request at this point of its way, in the order in which they were added: any number of
   * delays, then at most one that decides the reply. `after` is asked only for requests that succeeded.
   */
  strike(target: Target, point: 'before' | 'after'): Fault[] {
    return this.hit(
      (fault) => pointOf(fault.action) === point && fits(fault, target),
      ({ action }) => !('delayMs' in action),
    );
  }

  /** Whether `strike` would change what is counted. */
  areFor(target: Target, point: 'before' | 'after'): boolean {
    return this.concerns((fault) => pointOf(fault.action) === point && fits(fault, target));
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
