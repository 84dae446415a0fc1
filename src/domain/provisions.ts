import { isSealed, type Sealed } from './sealed';

/** A field of what people provide. A `secret` is sealed on its way to the workers (DESIGN rule 10). */
export interface ProvisionField {
  type: 'text' | 'whole number' | 'secret';
  optional?: true;
  /** For people, one line. */
  meaning: string;
}

/** Everything that `provide` may bring to a flow, and its fields: one table for backends, CLI and workflows. */
export const PROVISIONS = {
  deviceId: {
    deviceId: { type: 'text', meaning: 'what the browser SDK calls the device that the user logs in from' },
  },
  tokens: {
    userToken: { type: 'secret', meaning: "the user's token, as the browser SDK got it when the login was verified" },
    encryptionKey: { type: 'secret', meaning: 'the encryption key that came with it' },
    refreshToken: { type: 'secret', optional: true, meaning: 'the refresh token that came with it' },
  },
  resendOtp: {},
  clientError: {
    code: { type: 'whole number', meaning: 'the code that the browser SDK reported' },
  },
} as const satisfies Record<string, Record<string, ProvisionField>>;

export type ProvisionName = keyof typeof PROVISIONS;

type Fields<W extends ProvisionName> = (typeof PROVISIONS)[W];
type ValueOf<F, S> = F extends { type: 'secret' } ? S : F extends { type: 'whole number' } ? number : string;
type OptionalOf<T> = { [K in keyof T]: T[K] extends { optional: true } ? K : never }[keyof T];
type DataOf<W extends ProvisionName, S> = {
  [K in Exclude<keyof Fields<W>, OptionalOf<Fields<W>>>]: ValueOf<Fields<W>[K], S>;
} & { [K in OptionalOf<Fields<W>>]?: ValueOf<Fields<W>[K], S> };

/** What a backend gives. */
export type ProvisionInput<W extends ProvisionName> = DataOf<W, string>;
/** The same as a flow gets it: secrets sealed for the flow and `provisionField(what, field)`. */
export type ProvisionData<W extends ProvisionName> = DataOf<W, Sealed>;

/** Something that a flow wants provided, as its progress shows it. */
export interface Asked {
  what: ProvisionName;
  /** What happens when it is given, one line. */
  effect: string;
  fields: readonly string[];
}

export function isProvisionName(what: unknown): what is ProvisionName {
  return typeof what === 'string' && Object.hasOwn(PROVISIONS, what);
}

export function fieldsOf(what: ProvisionName): Readonly<Record<string, ProvisionField>> {
  return PROVISIONS[what];
}

/** Field of a seal's context: a secret that was sealed for one thing opens as no other. */
export function provisionField(what: ProvisionName, field: string): string {
  return `provide.${what}.${field}`;
}

/** Far more than any token has; a message must not be too large for a history (field case WF-07). */
const LONGEST_TEXT = 16_384;

/**
 * What is wrong with provided data, `field: what is wrong; what to do`; never a value.
 * @param secrets whether secrets are still clear (at the door) or sealed (in a flow)
 */
export function provisionProblems(what: ProvisionName, data: unknown, secrets: 'clear' | 'sealed'): string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return ['data: is no object; give one'];
  const fields = fieldsOf(what);
  const given = data as Record<string, unknown>;
  return [
    ...Object.keys(given)
      .filter((name) => given[name] !== undefined && !Object.hasOwn(fields, name))
      .map((name) => `${name.slice(0, 40)}: is not a field of ${what}; remove it`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const problem = valueProblem(field, given[name], secrets);
      return problem ? [`${name}: ${problem}`] : [];
    }),
  ];
}

function valueProblem({ type, optional, meaning }: ProvisionField, value: unknown, secrets: 'clear' | 'sealed') {
  if (value === undefined) return optional ? undefined : `is missing; give ${meaning}`;
  if (type === 'whole number') return Number.isSafeInteger(value) ? undefined : 'is no whole number; give one';
  if (type === 'secret' && secrets === 'sealed') {
    if (!isSealed(value)) return 'is not sealed; send it with `provide` of a handle, which seals it';
    return value.ciphertext.length <= 2 * LONGEST_TEXT ? undefined : 'is too long; give the token alone';
  }
  if (typeof value !== 'string' || value === '') return `is no text; give ${meaning}`;
  return value.length <= LONGEST_TEXT ? undefined : `is longer than ${LONGEST_TEXT} characters; shorten it`;
}
