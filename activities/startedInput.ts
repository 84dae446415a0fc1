import type { FlowName } from '../src/domain/flowNames';
import { sameJson } from '../src/domain/json';
import { parseInput } from '../src/flows/parseInput';

/**
 * Checks an input as a workflow receives it: parsed, so its durations are in milliseconds and its defaults are filled in, and
 * with sealed fields.
 */
export function startedInputProblems(name: FlowName, input: object): string[] {
  const { deadline } = input as { deadline?: unknown };
  const { data, problems } = parseInput(
    name,
    typeof deadline === 'number' ? { ...input, deadline: `${deadline} ms` } : input,
  );
  return data ? unparsedFieldProblems(data, input) : problems;
}

/** The flow does not parse its input again. An input that `start` has not parsed could be a duration as text. */
function unparsedFieldProblems(parsed: object, input: object): string[] {
  const received = new Map<string, unknown>(Object.entries(input));
  return Object.entries(parsed)
    .filter(([field, value]) => !sameJson(value, received.get(field)))
    .map(([field]) => `${field}: is not in the form that \`start\` sends; parse the input first`);
}
