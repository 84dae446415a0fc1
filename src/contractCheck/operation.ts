import type { Shape } from './shape';

/** The compared properties of an endpoint, from the contract or from the documents. */
export interface Operation {
  method: string;
  /** Complete path without the host, with parameters as `{name}`. */
  path: string;
  /** Path parameters in order. */
  params: readonly { name: string; shape: Shape }[];
  query: Shape;
  body: Shape;
  /** Union of all success responses. */
  response: Shape;
}

export const EMPTY_SHAPE: Shape = { types: new Set(), fields: new Map() };

/** `GET /v1/w3s/wallets/{id}` */
export function titleOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
