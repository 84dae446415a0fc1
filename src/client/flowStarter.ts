import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { inputFingerprint } from '../crypto/inputFingerprint';
import type { KeyRing } from '../crypto/keyRing';
import type { Sealer } from '../crypto/sealing';
import { flowQueue } from '../domain/activityTable';
import { refProblem, workflowId } from '../domain/flowId';
import type { FlowStart } from '../domain/flowStart';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { parseInput } from '../flows/parseInput';
import { type FlowName, FLOWS, type InputOf, type ResultOf, type ShownInputOf } from '../flows/registry';
import { trustedAnswer } from '../temporal/untrustedAnswer';
import { FlowConflictError, FlowInputError, FlowInterruptedError } from './errors';
import { interruptionOf } from './flowEnd';
import { FlowHandle, type HandleDeps } from './flowHandle';
import { sealToken, tokenProblem } from './sealToken';

/** The order in which requests leave a full queue: Temporal's priority keys, lower first. */
export const PRIORITIES = { urgent: 1, normal: 3, bulk: 5 } as const;
export type Priority = keyof typeof PRIORITIES;

export interface StartOptions {
  /**
   * The backend's opaque id of the flow: 1 to 120 characters from `A-Z a-z 0-9 . _ : -`, without personal data. Starting
   * again with the same ref and input returns the existing flow.
   */
  ref: string;
  /** Name of a policy of the workers; `default` if it is missing. */
  policy?: string;
  /** `normal` if it is missing. */
  priority?: Priority;
}

/** The argument of `start`: the fields of the flow's input and those of `StartOptions`. */
export type StartInput<N extends FlowName> = StartOptions & InputOf<N>;

/** Who starts a flow. */
export interface InitiatorOptions {
  /**
   * JWT of the initiator, from an issuer that the workers trust. They verify it and record its subject and issuer.
   * Required if the workers trust any issuer, and refused if they trust none.
   */
  token?: string | undefined;
}

export interface StartResult<N extends FlowName> {
  handle: FlowHandle<ResultOf<N>, ShownInputOf<N>>;
  /** Whether this call started the flow. */
  created: boolean;
}

/** Stored in the memo, to recognize a second start with another input. Encrypted like all payloads. */
interface StartMemo {
  fingerprint: string;
}

export interface StarterDeps extends HandleDeps {
  entity: string;
  keyRing: KeyRing;
  /** Refuses a start without a token before it is sent. */
  requireToken: boolean;
}

/**
 * Starts a flow, or returns the existing one with the same ref and input.
 * @throws FlowInputError (nothing was started), FlowConflictError (the ref was used with another input or policy),
 * FlowInterruptedError (the flow of the ref has ended without an outcome), UntrustedAnswerError (something other than this installation has used the ref)
 */
export async function startFlow<N extends FlowName>(
  { client, sealer, entity, keyRing, requireToken }: StarterDeps,
  name: N,
  options: StartInput<N>,
  { token }: InitiatorOptions = {},
): Promise<StartResult<N>> {
  const { ref, policy, priority = 'normal', ...rest } = options;
  const input = validateStart(name, { ref, policy, priority }, rest, initiatorProblem(token, requireToken));
  const id = workflowId({ entity, flow: name, ref });
  const handle = new FlowHandle<ResultOf<N>, ShownInputOf<N>>({ client, sealer }, id, ref);
  const fingerprint = inputFingerprint({ input, policy: policy ?? null }, keyRing);
  const sealed = await sealFields(sealer, id, input, FLOWS[name].sealed);
  const by = token === undefined ? undefined : await sealToken(sealer, id, token);
  const start: FlowStart<unknown> = { policy, by, input: sealed };
  try {
    await client.workflow.start(name, {
      workflowId: id,
      taskQueue: flowQueue(entity),
      args: [start],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      priority: { priorityKey: PRIORITIES[priority] },
      typedSearchAttributes: new TypedSearchAttributes([
        { key: keyword(SEARCH_ATTRIBUTES.kind), value: name },
        { key: keyword(SEARCH_ATTRIBUTES.entity), value: entity },
      ]),
      memo: { fingerprint } satisfies StartMemo,
    });
    return { handle, created: true };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const existing = await client.workflow.getHandle(id).describe();
  if (trustedAnswer((existing.memo as Partial<StartMemo> | undefined)?.fingerprint, id) !== fingerprint)
    throw new FlowConflictError(id);
  const interruption = await interruptionOf(client, existing);
  if (interruption) throw new FlowInterruptedError(id, interruption);
  return { handle, created: false };
}

function initiatorProblem(token: unknown, isRequired: boolean): string | undefined {
  return token === undefined && !isRequired ? undefined : tokenProblem(token, 'initiator');
}

/**
 * @param initiator what is wrong with the initiator's token
 * @returns the parsed input. @throws FlowInputError with all problems
 */
function validateStart(
  name: FlowName,
  { ref, policy, priority }: Omit<StartOptions, 'ref'> & { ref: unknown },
  input: object,
  initiator: string | undefined,
) {
  const problems: string[] = initiator === undefined ? [] : [initiator];
  const badRef = refProblem(ref);
  if (badRef) problems.push(ref === undefined ? 'ref: is missing; add your own opaque id for the flow' : badRef);
  if (policy !== undefined && typeof policy !== 'string') problems.push('policy: must be the name of a policy');
  if (priority !== undefined && !Object.hasOwn(PRIORITIES, priority)) {
    problems.push(`priority: must be one of ${Object.keys(PRIORITIES).join(', ')}`);
  }
  const parsed = parseInput(name, input);
  problems.push(...parsed.problems);
  if (problems.length > 0 || !parsed.data) throw new FlowInputError(name, problems);
  return parsed.data;
}

/** Seals the listed fields of an input for the flow. A value that is sealed already stays as it is. */
async function sealFields(sealer: Sealer, flow: string, input: object, fields: readonly string[] = []) {
  const clear = Object.entries(input).filter(([field, value]) => fields.includes(field) && typeof value === 'string');
  const sealed = clear.map(async ([field, value]) => [field, await sealer.seal(value as string, { flow, field })]);
  return { ...input, ...Object.fromEntries(await Promise.all(sealed)) };
}

function keyword(name: string) {
  return defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
}
