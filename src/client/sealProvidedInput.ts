import type { Sealer } from '../crypto/sealing';
import {
  INPUT_REQUESTS,
  inputRequestFields,
  type InputRequestName,
  inputSealField,
  isInputRequestName,
  type ProvidedInput,
  providedInputProblems,
  type SealedProvidedInput,
} from '../domain/inputRequests';
import { FlowInputError } from './errors';

/**
 * Checks the data of a `provide`, and seals its secrets for one flow.
 * @param flow workflow id
 * @throws FlowInputError, without the values
 */
export async function sealProvidedInput<W extends InputRequestName>(
  sealer: Sealer,
  flow: string,
  name: W,
  data: ProvidedInput<W>,
): Promise<SealedProvidedInput<W>> {
  if (!isInputRequestName(name)) {
    throw new FlowInputError('provide', [
      `name: there is no such input; use one of ${Object.keys(INPUT_REQUESTS).join(', ')}`,
    ]);
  }
  const problems = providedInputProblems(name, data, 'clear');
  if (problems.length > 0) throw new FlowInputError(`provide ${name}`, problems);
  const sealed: Record<string, unknown> = { ...data };
  for (const [field, { type }] of Object.entries(inputRequestFields(name))) {
    const value = sealed[field];
    if (type !== 'secret' || value === undefined) continue;
    sealed[field] = await sealer.seal(value as string, { flow, field: inputSealField(name, field) });
  }
  return sealed as SealedProvidedInput<W>;
}
