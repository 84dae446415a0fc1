import type { SerializationContext } from '@temporalio/common';
import { scheduledAs } from '../domain/envelope';

/**
 * The place that a payload is encrypted for, as JSON: `[namespace, workflowId]`, `[namespace, workflowId, activityId]`, or
 * `[]` for what belongs to no workflow, such as the memo of a schedule. It is the SDK's serialization context. Encryption
 * authenticates it, so a payload that is copied elsewhere does not decrypt there.
 */
export function bindingOf(context: SerializationContext | undefined): string {
  if (!context) return '[]';
  const { namespace, workflowId = '' } = context;
  return JSON.stringify(
    context.type === 'workflow' ? [namespace, workflowId] : [namespace, workflowId, context.activityId ?? ''],
  );
}

/**
 * Whether a payload with this binding belongs to this place. `scheduled`: only if it is a start by a schedule. A client
 * encrypts it for the workflow id of the schedule's action, and the server appends a time to the id.
 */
export function belongsTo(binding: string, context: SerializationContext | undefined): boolean | 'scheduled' {
  if (binding === bindingOf(context)) return true;
  const workflowId = context?.type === 'workflow' ? scheduledAs(context.workflowId) : undefined;
  if (workflowId === undefined) return false;
  return binding === bindingOf({ ...context!, workflowId } as SerializationContext) && 'scheduled';
}

/** The place that a binding names, for a reader who knows only the payload; undefined if it names none. */
export function contextOf(binding: string): SerializationContext | undefined {
  const [namespace, workflowId, activityId] = parseBinding(binding);
  if (namespace === undefined || workflowId === undefined) return undefined;
  return activityId === undefined
    ? { type: 'workflow', namespace, workflowId }
    : { type: 'activity', namespace, workflowId, activityId, isLocal: false };
}

function parseBinding(binding: string): string[] {
  try {
    const parts: unknown = JSON.parse(binding);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : [];
  } catch {
    return [];
  }
}
