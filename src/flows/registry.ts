import type { z } from 'zod';
import type { FlowName } from '../domain/flowNames';
import type { WithSealedMarks } from '../domain/sealed';
import { addUserWallets } from './addUserWallets';
import { changePin } from './changePin';
import type { FlowDefinition, SealedInput } from './definition';
import { executeContract } from './executeContract';
import { fundTestnet } from './fundTestnet';
import { onboardUser } from './onboardUser';
import { signPayload } from './signPayload';
import { transfer } from './transfer';

export type { FlowName };

/** The definition of every flow, by name. The compiler checks it against `FlowName`: none may be missing or unknown. */
export const FLOWS = {
  transfer,
  executeContract,
  fundTestnet,
  onboardUser,
  addUserWallets,
  changePin,
  signPayload,
} satisfies Record<FlowName, unknown>;

/** The input of a flow, as a backend passes it to `start` (without `ref`, `policy` and `priority`). */
export type InputOf<N extends FlowName> = z.input<(typeof FLOWS)[N]['input']>;
/** The `result` in the outcome of a flow. */
export type ResultOf<N extends FlowName> =
  (typeof FLOWS)[N] extends FlowDefinition<z.ZodType, infer R, infer _F> ? R : never;
/** The input of a flow as its progress shows it: durations in milliseconds, a mark in place of each sealed value. */
export type ShownInputOf<N extends FlowName> =
  (typeof FLOWS)[N] extends FlowDefinition<infer S, infer _R, infer F>
    ? WithSealedMarks<SealedInput<z.output<S>, F>>
    : never;
