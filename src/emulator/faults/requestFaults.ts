import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { OPERATION_IDS, type OperationId } from '../../api/contract';
import { realMs } from '../kit/duration';
import { fieldChange } from './changeField';
import { FaultList, frequency, type ListedFault } from './faultList';

/** Validated here, because Node.js would otherwise throw on every request that the fault applies to. */
const headers = z
  .record(z.string(), z.string())
  .refine(isValidHeaders, 'has a name or value that is not valid in an HTTP header');

/** `before`: the request is neither checked, counted nor handled. `after`: the request was handled. */
const when = z.enum(['before', 'after']);

/**
 * What a fault does to a request. `when` determines whether the request is still handled. Actions without `when` apply
 * after the request was handled.
 */
const action = z.union([
  /** Another response. Without `body`, its body is the API's error body with `code`. */
  z.strictObject({
    status: z.number().int().min(200).max(599),
    code: z.number().int().optional(),
    body: z.unknown().optional(),
    headers: headers.optional(),
    when: when.default('before'),
  }),
  /**
   * Real time. `before`: the request is handled later; `after`: only the response is late. Combines with other faults.
   */
  z.strictObject({ delayMs: realMs.int(), when: when.default('before') }),
  /** The connection breaks and no response is sent. */
  z.strictObject({ drop: when }),
  /** The connection breaks halfway through the response. */
  z.strictObject({ truncate: z.literal(true) }),
  /** Status 200 with an HTML page, as a proxy would send. */
  z.strictObject({ html: z.literal(true), when: when.default('before') }),
  /** Status 302 to this URL. */
  z.strictObject({
    redirect: z.string().refine((location) => isValidHeaders({ location }), 'is not valid in the header Location'),
    when: when.default('before'),
  }),
  /** The response, with the type of every string, number and boolean changed. */
  z.strictObject({ wrongType: z.literal(true) }),
  /** The response with one field changed. */
  fieldChange,
]);

export const faultSchema = z.strictObject({
  /** Which requests the fault applies to. Every condition must match; without conditions, every request matches. */
  operation: z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]).optional(),
  method: z.string().toUpperCase().optional(),
  pathPrefix: z.string().optional(),
  ...frequency,
  action,
});

function isValidHeaders(values: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(values)) {
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

/** A fault as listed: its specification, and how often it has applied (`struck`). */
export type Fault = ListedFault<z.output<typeof faultSchema>>;

export interface FaultTarget {
  operation: OperationId;
  method: string;
  path: string;
}

/** The injected faults for requests to a world. */
export class RequestFaults extends FaultList<z.output<typeof faultSchema>> {
  /**
   * Returns the faults that apply to a request at this point, in the order in which they were added: any number of
   * delays, and at most one fault that determines the response. Call it with `after` only for requests that succeeded.
   */
  strike(target: FaultTarget, point: 'before' | 'after'): Fault[] {
    return this.trigger(
      (fault) => pointOf(fault.action) === point && matches(fault, target),
      ({ action }) => !('delayMs' in action),
    );
  }

  /** Whether `strike` would change any counter. */
  wouldStrike(target: FaultTarget, point: 'before' | 'after'): boolean {
    return this.hasMatch((fault) => pointOf(fault.action) === point && matches(fault, target));
  }
}

function pointOf(action: FaultAction): 'before' | 'after' {
  if ('drop' in action) return action.drop;
  return 'when' in action ? action.when : 'after';
}

function matches(fault: Fault, { operation, method, path }: FaultTarget): boolean {
  return (
    (fault.operation === undefined || fault.operation === operation) &&
    (fault.method === undefined || fault.method === method) &&
    (fault.pathPrefix === undefined || path.startsWith(fault.pathPrefix))
  );
}
