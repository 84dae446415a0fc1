import type { z } from 'zod';
import type { FlowDefinition } from './definition';
import { changePin } from './changePin';
import { fundTestnet } from './fundTestnet';
import { onboardUser } from './onboardUser';
import { signPayload } from './signPayload';
import { transfer } from './transfer';

/** Every flow that a backend can start, by its name. */
export const FLOWS = { transfer, fundTestnet, signPayload, onboardUser, changePin };

export type FlowName = keyof typeof FLOWS;
export type InputOf<N extends FlowName> = z.input<(typeof FLOWS)[N]['input']>;
export type ResultOf<N extends FlowName> = (typeof FLOWS)[N] extends FlowDefinition<z.ZodType, infer R> ? R : never;

export const FLOW_NAMES = Object.keys(FLOWS) as FlowName[];

export function isFlowName(name: string): name is FlowName {
  return Object.hasOwn(FLOWS, name);
}
