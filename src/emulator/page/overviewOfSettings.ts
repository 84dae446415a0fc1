/** A setting of the world, with all that the page needs to show it and to have it changed. */
export interface SettingView {
  name: string;
  group: string;
  /** One line; code stands in backticks. */
  meaning: string;
  value: unknown;
  /** What the value is where nobody has chosen. */
  standard: unknown;
  input: SettingInput;
}

export type SettingInput =
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly SettingOption[] }
  /** Several of the options, in their order. */
  | { kind: 'several'; options: readonly string[] }
  /** A text or a number; left empty where `nothing` tells what null means. */
  | { kind: 'text'; numeric: boolean; nothing?: string }
  /** An object of numbers; null where all are left empty. */
  | { kind: 'numbers'; fields: readonly string[]; nothing: string }
  /** An object: each of the keys has one of the options or is not in it. */
  | { kind: 'choices'; keys: readonly string[]; options: readonly SettingOption[] };

export interface SettingOption {
  label: string;
  value: unknown;
}
