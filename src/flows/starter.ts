import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { z } from 'zod';
import { inputFingerprint } from '../crypto/inputFingerprint';
import type { KeyRing } from '../crypto/keyRing';
import type { Sealer } from '../crypto/sealing';
import { flowQueue } from '../domain/activityTable';
import type { FlowStart } from '../domain/flowStart';
import { checkRef, workflowId } from '../domain/ref';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { FlowConflictError, FlowInputError } from './errors';
import { FlowHandle, type HandleDeps } from './handle';
import { FLOWS, type FlowName, type InputOf, type ResultOf } from './registry';

/** Whose work goes first where a limit makes it wait (DESIGN rule 4). */
export const PRIORITIES = { urgent: 1, normal: 3, bulk: 5 } as const;
export type Priority = keyof typeof PRIORITIES;

export interface StartOptions {
  /** The backend's own opaque name for the flow; starting again with it returns the flow. */
  ref: string;
  /** Name of a policy; the default one where left out. */
  policy?: string;
  priority?: Priority;
}

export type StartInput<N extends FlowName> = StartOptions & InputOf<N>;

export interface Started<R> {
  handle: FlowHandle<R>;
  /** Whether this call began it. */
  created: boolean;
}

/** In the memo, to tell whether a second start means the same thing. Encrypted like all payloads. */
interface StartMemo {
  fingerprint: string;
  keyId: string;
}

export interface StarterDeps extends HandleDeps {
  entity: string;
  keyRing: KeyRing;
}

/**
 * Starts a flow, or finds the one that was started with the same ref and input before.
 * @throws FlowInputError (nothing was started), FlowConflictError (the ref is taken by another input)
 */
export async function startFlow<N extends FlowName>(
  { client, sealer, entity, keyRing }: StarterDeps,
  name: N,
  options: StartInput<N>,
): Promise<Started<ResultOf<N>>> {
  const { ref, policy, priority = 'normal', ...rest } = options;
  const input = checkStart(name, { ref, policy, priority }, rest);
  const id = workflowId({ entity, flow: name, ref });
  const handle = new FlowHandle<ResultOf<N>>({ client, sealer }, id, ref);
  const keyId = keyRing.currentId;
  const meant = { input, policy: policy ?? null };
  const sealed = await sealFields(sealer, id, input, FLOWS[name].sealed);
  const start: FlowStart<unknown> = { entity, ref, keyId, at: new Date().toISOString(), policy, input: sealed };
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
      memo: { fingerprint: inputFingerprint(meant, keyId, keyRing), keyId } satisfies StartMemo,
    });
    return { handle, created: true };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const memo = (await client.workflow.getHandle(id).describe()).memo as StartMemo | undefined;
  if (!memo || memo.fingerprint !== inputFingerprint(meant, memo.keyId, keyRing)) throw new FlowConflictError(id);
  return { handle, created: false };
}

/** @returns the input as the workflow gets it */
function checkStart(
  name: FlowName,
  { ref, policy, priority }: Omit<StartOptions, 'ref'> & { ref: unknown },
  input: object,
) {
  const { input: schema, check } = FLOWS[name];
  const problems: string[] = [];
  const badRef = checkRef(ref);
  if (badRef) problems.push(ref === undefined ? 'ref: is missing; give your own opaque name for the flow' : badRef);
  if (policy !== undefined && typeof policy !== 'string') problems.push('policy: must be the name of a policy');
  if (priority !== undefined && !Object.hasOwn(PRIORITIES, priority)) {
    problems.push(`priority: must be one of ${Object.keys(PRIORITIES).join(', ')}`);
  }
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    const more = (check as ((value: unknown) => readonly (readonly [string, string])[]) | undefined)?.(parsed.data);
    problems.push(...(more ?? []).map(([field, problem]) => `${field}: ${problem}`));
  } else {
    for (const issue of parsed.error.issues) {
      const at = issue.path.join('.');
      if (issue.code === 'unrecognized_keys') {
        problems.push(
          ...issue.keys.map((key) => `${[at, key].filter(Boolean).join('.')}: is not a field of this input; remove it`),
        );
      } else {
        const missing = issue.code !== 'custom' && valueAt(input, issue.path) === undefined;
        problems.push(`${at || 'input'}: ${missing ? `is missing; ${toGive(issue)}` : issue.message}`);
      }
    }
  }
  if (problems.length > 0 || !parsed.success) throw new FlowInputError(name, problems);
  return parsed.data;
}

/** Of what is missing, the values that there are, where they are few. */
function toGive(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `give one of ${issue.values.join(', ')}` : 'give it';
}

/** The input with the named fields sealed for the flow; what is sealed already stays as it is. */
async function sealFields(sealer: Sealer, flow: string, input: object, fields: readonly string[] = []) {
  const clear = Object.entries(input).filter(([field, value]) => fields.includes(field) && typeof value === 'string');
  const sealed = clear.map(async ([field, value]) => [field, await sealer.seal(value as string, { flow, field })]);
  return { ...input, ...Object.fromEntries(await Promise.all(sealed)) };
}

function keyword(name: string) {
  return defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
}
