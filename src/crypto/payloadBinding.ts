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

/** Whether a payload with this binding belongs to this place. */
export function isBoundTo(binding: string, context: SerializationContext | undefined): boolean {
  if (binding === bindingOf(context)) return true;
  // A client encrypts the input of a schedule for the workflow id of its action, and the server appends a time to the id.
  const scheduled = context?.type === 'workflow' ? scheduledAs(context.workflowId) : undefined;
  return (
    scheduled !== undefined && binding === bindingOf({ ...context!, workflowId: scheduled } as SerializationContext)
  );
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
