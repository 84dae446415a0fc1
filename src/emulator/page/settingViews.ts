/** A setting of the world, with everything that the page needs to show and change it. */
export interface SettingView {
  name: string;
  group: string;
  /** One line, with code in backticks. */
  meaning: string;
  value: unknown;
  defaultValue: unknown;
  input: SettingInput;
}

export type SettingInput =
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly SettingOption[] }
  /** Any number of the options, in the order of the options. */
  | { kind: 'multiChoice'; options: readonly string[] }
  /** Text or a number. With `nullLabel`, an empty input means null. */
  | { kind: 'text'; numeric: boolean; nullLabel?: string }
  /** An object of numbers; null if all inputs are empty. */
  | { kind: 'numbers'; fields: readonly string[]; nullLabel: string }
  /** An object in which each key has one of the options or is absent. */
  | { kind: 'choices'; keys: readonly string[]; options: readonly SettingOption[] };

export interface SettingOption {
  label: string;
  value: unknown;
}
