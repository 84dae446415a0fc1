import type { z } from 'zod';
import type { FlowName } from '../domain/flowNames';
import { addUserWallets } from './addUserWallets';
import { changePin } from './changePin';
import type { FlowDefinition } from './definition';
import { fundTestnet } from './fundTestnet';
import { onboardUser } from './onboardUser';
import { signPayload } from './signPayload';
import { transfer } from './transfer';

export type { FlowName };

/** Every flow that a backend can start, by its name. */
export const FLOWS = {
  transfer,
  fundTestnet,
  onboardUser,
  addUserWallets,
  changePin,
  signPayload,
} satisfies Record<FlowName, unknown>;

export type InputOf<N extends FlowName> = z.input<(typeof FLOWS)[N]['input']>;
export type ResultOf<N extends FlowName> = (typeof FLOWS)[N] extends FlowDefinition<z.ZodType, infer R> ? R : never;
