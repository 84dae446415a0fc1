import { isSealed, MAX_SEALED_LENGTH, type Sealed } from './sealed';

/** A field of an input that a flow may ask for. A `secret` is sealed before it is sent to the workers. */
export interface InputRequestField {
  type: 'text' | 'whole number' | 'secret';
  optional?: true;
  /** What the field is, in one line, for the CLI's help and for errors. */
  meaning: string;
}

/** Every input that `provide` accepts, by name, with its fields. One table for backends, CLI and workflows. */
export const INPUT_REQUESTS = {
  deviceId: {
    deviceId: {
      type: 'text',
      meaning: 'the device id from the browser SDK, for the device that the user logs in from',
    },
  },
  tokens: {
    userToken: { type: 'secret', meaning: 'the user token that the browser SDK received after the login' },
    encryptionKey: { type: 'secret', meaning: 'the encryption key that came with the user token' },
    refreshToken: { type: 'secret', optional: true, meaning: 'the refresh token that came with the user token' },
  },
  resendOtp: {},
  clientError: {
    code: { type: 'whole number', meaning: 'the code that the browser SDK reported' },
  },
} as const satisfies Record<string, Record<string, InputRequestField>>;

export type InputRequestName = keyof typeof INPUT_REQUESTS;

type Fields<W extends InputRequestName> = (typeof INPUT_REQUESTS)[W];
type ValueOf<F, S> = F extends { type: 'secret' } ? S : F extends { type: 'whole number' } ? number : string;
type OptionalOf<T> = { [K in keyof T]: T[K] extends { optional: true } ? K : never }[keyof T];
type DataOf<W extends InputRequestName, S> = {
  [K in Exclude<keyof Fields<W>, OptionalOf<Fields<W>>>]: ValueOf<Fields<W>[K], S>;
} & { [K in OptionalOf<Fields<W>>]?: ValueOf<Fields<W>[K], S> };

/** The data that a backend passes to `provide`, with secrets in clear text. `provide` seals them. */
export type ProvidedInput<W extends InputRequestName> = DataOf<W, string>;
/** The data as a flow receives it. Each secret is sealed for the flow and `inputSealField(name, field)`. */
export type SealedProvidedInput<W extends InputRequestName> = DataOf<W, Sealed>;

/** An input that a flow asks for, as shown in its progress. Backends send it with `provide`. */
export interface PendingInputRequest {
  name: InputRequestName;
  /** What the flow does when it receives the input, in one line. */
  effect: string;
  /** Names of the fields; `INPUT_REQUESTS` describes them. */
  fields: readonly string[];
}

export function isInputRequestName(name: unknown): name is InputRequestName {
  return typeof name === 'string' && Object.hasOwn(INPUT_REQUESTS, name);
}

export function inputRequestFields(name: InputRequestName): Readonly<Record<string, InputRequestField>> {
  return INPUT_REQUESTS[name];
}

/** The field that a secret is sealed for. A secret that was sealed for one field does not open as another. */
export function inputSealField(name: InputRequestName, field: string): string {
  return `provide.${name}.${field}`;
}

/** Far longer than any token. A longer message could exceed the limits of a workflow history. */
const MAX_TEXT_LENGTH = 16_384;

/**
 * Checks the data of a `provide`.
 * @param secrets whether secrets are still in clear text (in a backend) or sealed (in a flow)
 * @returns problems as `field: what is wrong; what to do`, without values
 */
export function providedInputProblems(
  inputName: InputRequestName,
  data: unknown,
  secrets: 'clear' | 'sealed',
): string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return ['data: must be an object'];
  const fields = inputRequestFields(inputName);
  const values = data as Record<string, unknown>;
  return [
    ...Object.keys(values)
      .filter((name) => values[name] !== undefined && !Object.hasOwn(fields, name))
      .map((name) => `${name.slice(0, 40)}: is not a field of ${inputName}; remove it`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const problem = valueProblem(field, values[name], secrets);
      return problem ? [`${name}: ${problem}`] : [];
    }),
  ];
}

function valueProblem({ type, optional, meaning }: InputRequestField, value: unknown, secrets: 'clear' | 'sealed') {
  if (value === undefined) return optional ? undefined : `is missing; send ${meaning}`;
  if (type === 'whole number')
    return Number.isSafeInteger(value) ? undefined : `must be a whole number; send ${meaning}`;
  if (type === 'secret' && secrets === 'sealed') {
    if (!isSealed(value)) return 'is not sealed; send it with `provide` of a flow handle, which seals it';
    return value.ciphertext.length <= MAX_SEALED_LENGTH ? undefined : 'is too long; send only the token';
  }
  if (typeof value !== 'string' || value === '') return `must be a non-empty string; send ${meaning}`;
  return value.length <= MAX_TEXT_LENGTH ? undefined : `is longer than ${MAX_TEXT_LENGTH} characters; shorten it`;
}
