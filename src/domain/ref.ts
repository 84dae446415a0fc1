/**
 * A ref is the backend's own name for a flow. It stands in workflow ids, in the API's `refId` and in logs, so it has to
 * be short, plain and opaque: 1 to 120 characters, none of which these places use as a separator (`/`, `~`).
 */
export const REF_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$/;

/** Name of a workflow type as it stands in ids. The bound is part of the length bound of `refId`. */
export const FLOW_PATTERN = /^[a-z][A-Za-z0-9]{0,31}$/;

const WORKFLOW_ID_PATTERN = /^([^/]+)\/([^/]+)\/([^/]+)$/;

/** The parts of a workflow id `<entity>/<flow>/<ref>`. */
export interface FlowName {
  entity: string;
  flow: string;
  ref: string;
}

/** What is wrong with a ref and how to mend it, or undefined. The text does not repeat the ref: it might be personal. */
export function checkRef(ref: unknown): string | undefined {
  if (typeof ref === 'string' && REF_PATTERN.test(ref)) return undefined;
  const given = typeof ref === 'string' ? `a text of ${ref.length} characters` : `a value of type ${typeof ref}`;
  return (
    `ref: 1 to 120 characters from A-Z a-z 0-9 . _ : - are needed, beginning with a letter or digit; got ${given}. ` +
    'Use an opaque id of your own, such as an invoice or payout number, and nothing personal.'
  );
}

export function workflowId({ entity, flow, ref }: FlowName): string {
  return `${entity}/${flow}/${ref}`;
}

/** The parts of a workflow id, or undefined when it is not one of ours: other workflows may share the namespace. */
export function parseWorkflowId(id: string): FlowName | undefined {
  const [, entity, flow, ref] = WORKFLOW_ID_PATTERN.exec(id) ?? [];
  if (entity === undefined || flow === undefined || ref === undefined) return undefined;
  return FLOW_PATTERN.test(flow) && REF_PATTERN.test(ref) ? { entity, flow, ref } : undefined;
}
