import type { Sealer } from '../crypto/sealing';
import {
  fieldsOf,
  isProvisionName,
  type ProvisionData,
  provisionField,
  type ProvisionInput,
  type ProvisionName,
  provisionProblems,
  PROVISIONS,
} from '../domain/provisions';
import { FlowInputError } from './errors';

/**
 * What somebody provides to a flow, checked, its secrets sealed for this flow alone.
 * @param flow workflow id
 * @throws FlowInputError, which never repeats a value
 */
export async function sealProvision<W extends ProvisionName>(
  toWorkers: Sealer,
  flow: string,
  what: W,
  data: ProvisionInput<W>,
): Promise<ProvisionData<W>> {
  if (!isProvisionName(what)) {
    throw new FlowInputError('provide', [
      `what: is nothing to provide; choose one of ${Object.keys(PROVISIONS).join(', ')}`,
    ]);
  }
  const problems = provisionProblems(what, data, 'clear');
  if (problems.length > 0) throw new FlowInputError(`provide ${what}`, problems);
  const sealed: Record<string, unknown> = { ...data };
  for (const [name, { type }] of Object.entries(fieldsOf(what))) {
    const value = sealed[name];
    if (type !== 'secret' || value === undefined) continue;
    sealed[name] = await toWorkers.seal(value as string, { flow, field: provisionField(what, name) });
  }
  return sealed as ProvisionData<W>;
}
