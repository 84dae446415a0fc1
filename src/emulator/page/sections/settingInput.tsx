import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SettingInput as Input, SettingOption, SettingView } from '../settingViews.js';
import { useWorld } from '../world.js';

interface InputProps {
  /** @throws ControlError */
  change: (next: unknown) => Promise<unknown>;
  /** Id of the element that names the input. */
  name: string;
  /** Id of the element that describes the input. */
  about: string;
}

type InputOfKind<Kind extends Input['kind']> = Extract<Input, { kind: Kind }>;

/** The input for a setting, by the kind of its value. */
export function SettingInput({ setting: { input, value }, ...props }: InputProps & { setting: SettingView }) {
  switch (input.kind) {
    case 'switch':
      return <Switch value={value === true} {...props} />;
    case 'choice':
      return <Choice options={input.options} value={value} labelledBy={props.name} {...props} />;
    case 'multiChoice':
      return <MultiChoice input={input} value={value as string[]} {...props} />;
    case 'text':
      return <Text input={input} value={value as Primitive} label={props.name} {...props} />;
    case 'numbers':
      return <Numbers input={input} value={value as Record<string, number> | null} {...props} />;
    case 'choices':
      return <Choices input={input} value={value as Record<string, unknown>} {...props} />;
  }
}

type Primitive = string | number | null;

function Switch({ value, change, name, about }: InputProps & { value: boolean }) {
  const { showError } = useWorld();
  return (
    <input
      type="checkbox"
      role="switch"
      checked={value}
      aria-labelledby={name}
      aria-describedby={about}
      onChange={(event) => void change(event.currentTarget.checked).catch(showError)}
    />
  );
}

/** The option for a key that is absent from the object. */
const UNSET: SettingOption = { label: 'default', value: undefined };

const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));

function Choice({
  options,
  value,
  change,
  labelledBy,
  about,
}: InputProps & { options: readonly SettingOption[]; value: unknown; labelledBy: string }) {
  const { showError } = useWorld();
  return (
    <select
      value={textOf(value)}
      aria-labelledby={labelledBy}
      aria-describedby={about}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        void change(options.find((option) => textOf(option.value) === chosen)?.value).catch(showError);
      }}
    >
      {options.map((option) => (
        <option key={textOf(option.value)} value={textOf(option.value)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function MultiChoice({
  input,
  value,
  change,
  name,
  about,
}: InputProps & { input: InputOfKind<'multiChoice'>; value: readonly string[] }) {
  const { showError } = useWorld();
  const toggle = (option: string, on: boolean) =>
    change(input.options.filter((each) => (each === option ? on : value.includes(each))));
  return (
    <Collapsible summary={value.join(', ') || 'none'} itemCount={input.options.length} name={name} about={about}>
      {input.options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={(event) => void toggle(option, event.currentTarget.checked).catch(showError)}
          />
          {option}
        </label>
      ))}
    </Collapsible>
  );
}

function Choices({
  input: { keys, options },
  value,
  change,
  name,
  about,
}: InputProps & { input: InputOfKind<'choices'>; value: Record<string, unknown> }) {
  const all = [UNSET, ...options];
  const labelOf = (chosen: unknown) => options.find((option) => textOf(option.value) === textOf(chosen))?.label;
  const summary = Object.entries(value).map(([key, chosen]) => `${key}: ${labelOf(chosen)}`);
  return (
    <Collapsible summary={summary.join(', ') || 'default for all'} itemCount={keys.length} name={name} about={about}>
      {keys.map((key) => (
        <div key={key} class="keyed">
          <span id={`${name}-${key}`}>{key}</span>
          <Choice
            options={all}
            value={value[key]}
            labelledBy={`${name} ${name}-${key}`}
            name={name}
            about={about}
            // JSON omits undefined values, so choosing UNSET removes the key.
            change={(next) => change({ ...value, [key]: next })}
          />
        </div>
      ))}
    </Collapsible>
  );
}

/** Collapses more than five inputs behind a summary of their values. */
function Collapsible({
  summary,
  itemCount,
  name,
  about,
  children,
}: {
  summary: string;
  itemCount: number;
  name: string;
  about: string;
  children: ComponentChildren;
}) {
  const grid = (
    <div class="keys" role="group" aria-labelledby={name} aria-describedby={about}>
      {children}
    </div>
  );
  if (itemCount <= 5) return grid;
  return (
    <details>
      <summary>{summary}</summary>
      {grid}
    </details>
  );
}

function Numbers({
  input: { fields, nullLabel },
  value,
  change,
  name,
  about,
}: InputProps & { input: InputOfKind<'numbers'>; value: Record<string, number> | null }) {
  const changeOne = (field: string, next: unknown) => {
    const numbers = Object.fromEntries(fields.map((each) => [each, each === field ? next : (value?.[each] ?? null)]));
    const hasValue = Object.values(numbers).some((each) => each !== null);
    return change(hasValue ? Object.fromEntries(Object.entries(numbers).map(([key, each]) => [key, each ?? 0])) : null);
  };
  return (
    <div class="numbers" role="group" aria-labelledby={name} aria-describedby={about}>
      {fields.map((field) => (
        <div key={field}>
          <span id={`${name}-${field}`}>{field}</span>
          <Text
            input={{ kind: 'text', numeric: true, nullLabel }}
            value={value?.[field] ?? null}
            label={`${name} ${name}-${field}`}
            name={name}
            about={about}
            change={(next) => changeOne(field, next)}
          />
        </div>
      ))}
    </div>
  );
}

/** Submits on Enter and when the input loses focus. A rejected value stays, with the error below it. */
function Text({
  input: { numeric, nullLabel },
  value,
  change,
  label,
  about,
}: InputProps & { input: InputOfKind<'text'>; value: Primitive; label: string }) {
  const element = useRef<HTMLInputElement>(null);
  const [errorMessage, setErrorMessage] = useState<string>();
  const shown = value === null ? '' : String(value);
  useLayoutEffect(() => {
    // Does not overwrite the input while the user types.
    if (element.current && document.activeElement !== element.current) element.current.value = shown;
  }, [shown]);
  const send = (text: string) => {
    setErrorMessage(undefined);
    void change(parsed(text.trim(), numeric, nullLabel !== undefined)).catch((error: Error) =>
      setErrorMessage(error.message),
    );
  };
  return (
    <div>
      <input
        ref={element}
        type="text"
        defaultValue={shown}
        placeholder={nullLabel}
        inputMode={numeric ? 'decimal' : 'text'}
        autocomplete="off"
        spellcheck={false}
        aria-labelledby={label}
        aria-describedby={about}
        aria-invalid={errorMessage === undefined ? undefined : 'true'}
        onChange={(event) => send(event.currentTarget.value)}
      />
      {numeric && typeof value === 'number' && value >= 60_000 && <small>{durationOf(value)}</small>}
      <p role="alert" class="error">
        {errorMessage}
      </p>
    </div>
  );
}

/** Sends text that is not a number unchanged, so that the emulator's own error is shown. */
function parsed(text: string, numeric: boolean, nullable: boolean): Primitive {
  if (text === '' && nullable) return null;
  return numeric && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A duration in its largest unit: `2 hours`. */
function durationOf(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each)!;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 2 }).format(
    ms / length,
  );
}
