import type { Shape } from './shape';

/** What is compared of an endpoint, whichever side describes it. */
export interface Operation {
  method: string;
  /** Whole path below the host, parameters as `{name}`. */
  path: string;
  /** Path parameters, in their order. */
  params: readonly { name: string; shape: Shape }[];
  query: Shape;
  body: Shape;
  /** Of all successes. */
  answer: Shape;
}

export const EMPTY: Shape = { types: new Set(), fields: new Map() };

/** `GET /v1/w3s/wallets/{id}` */
export function titleOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
