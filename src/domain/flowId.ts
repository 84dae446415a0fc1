/**
 * A ref is the opaque id that the backend gives to a flow. It is part of workflow ids, of the API's `refId` and of logs.
 * It therefore has at most 120 characters, and none that these places use as a separator (`/`, `~`).
 */
export const REF_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$/;

/** The name of a workflow type in ids. Its length counts towards the maximum length of `refId`. */
export const FLOW_PATTERN = /^[a-z][A-Za-z0-9]{0,31}$/;

const WORKFLOW_ID_PATTERN = /^([^/]+)\/([^/]+)\/([^/]+)$/;

/** The parts of a workflow id `<entity>/<flow>/<ref>`. */
export interface FlowId {
  entity: string;
  flow: string;
  ref: string;
}

/**
 * @returns the problem with a ref and its remedy; undefined if the ref is valid. The message does not repeat the ref,
 *   which may contain personal data.
 */
export function refProblem(ref: unknown): string | undefined {
  if (typeof ref === 'string' && REF_PATTERN.test(ref)) return undefined;
  const received = typeof ref === 'string' ? `a string of ${ref.length} characters` : `a value of type ${typeof ref}`;
  return (
    `ref: must have 1 to 120 characters from A-Z a-z 0-9 . _ : - and begin with a letter or digit; got ${received}. ` +
    'Use an opaque id of your own, such as an invoice or payout number, and nothing personal.'
  );
}

export function workflowId({ entity, flow, ref }: FlowId): string {
  return `${entity}/${flow}/${ref}`;
}

/** The entity of every workflow, also of one that is not a flow: the first part of its id. */
export function entityOf(workflowId: string): string {
  return workflowId.split('/', 1)[0]!;
}

/** @returns undefined for an id of another form: other applications' workflows may share the namespace */
export function parseWorkflowId(id: string): FlowId | undefined {
  const [, entity, flow, ref] = WORKFLOW_ID_PATTERN.exec(id) ?? [];
  if (entity === undefined || flow === undefined || ref === undefined) return undefined;
  return FLOW_PATTERN.test(flow) && REF_PATTERN.test(ref) ? { entity, flow, ref } : undefined;
}
