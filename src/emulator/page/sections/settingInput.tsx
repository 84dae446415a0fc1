import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SettingInput as Input, SettingOption, SettingView } from '../overviewOfSettings.js';
import { useWorld } from '../world.js';

interface Given {
  /** @throws ControlError */
  change: (next: unknown) => Promise<unknown>;
  /** Ids of the elements that name and describe the input. */
  name: string;
  about: string;
}

type Of<Kind extends Input['kind']> = Extract<Input, { kind: Kind }>;

/** What a setting is changed with, by the kind of its value. */
export function SettingInput({ setting: { input, value }, ...given }: Given & { setting: SettingView }) {
  switch (input.kind) {
    case 'switch':
      return <Switch value={value === true} {...given} />;
    case 'choice':
      return <Choice options={input.options} value={value} labelledBy={given.name} {...given} />;
    case 'several':
      return <Several input={input} value={value as string[]} {...given} />;
    case 'text':
      return <Text input={input} value={value as Simple} label={given.name} {...given} />;
    case 'numbers':
      return <Numbers input={input} value={value as Record<string, number> | null} {...given} />;
    case 'choices':
      return <Choices input={input} value={value as Record<string, unknown>} {...given} />;
  }
}

type Simple = string | number | null;

function Switch({ value, change, name, about }: Given & { value: boolean }) {
  const { complain } = useWorld();
  return (
    <input
      type="checkbox"
      role="switch"
      checked={value}
      aria-labelledby={name}
      aria-describedby={about}
      onChange={(event) => void change(event.currentTarget.checked).catch(complain)}
    />
  );
}

/** What a key that is not in the object is shown as. */
const UNSET: SettingOption = { label: 'as it is', value: undefined };

const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));

function Choice({
  options,
  value,
  change,
  labelledBy,
  about,
}: Given & { options: readonly SettingOption[]; value: unknown; labelledBy: string }) {
  const { complain } = useWorld();
  return (
    <select
      value={textOf(value)}
      aria-labelledby={labelledBy}
      aria-describedby={about}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        void change(options.find((option) => textOf(option.value) === chosen)?.value).catch(complain);
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

function Several({ input, value, change, name, about }: Given & { input: Of<'several'>; value: readonly string[] }) {
  const { complain } = useWorld();
  const toggle = (option: string, on: boolean) =>
    change(input.options.filter((each) => (each === option ? on : value.includes(each))));
  return (
    <Unfolding summary={value.join(', ') || 'none'} many={input.options.length} name={name} about={about}>
      {input.options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={(event) => void toggle(option, event.currentTarget.checked).catch(complain)}
          />
          {option}
        </label>
      ))}
    </Unfolding>
  );
}

function Choices({
  input: { keys, options },
  value,
  change,
  name,
  about,
}: Given & { input: Of<'choices'>; value: Record<string, unknown> }) {
  const all = [UNSET, ...options];
  const labelOf = (chosen: unknown) => options.find((option) => textOf(option.value) === textOf(chosen))?.label;
  const summary = Object.entries(value).map(([key, chosen]) => `${key}: ${labelOf(chosen)}`);
  return (
    <Unfolding summary={summary.join(', ') || 'as it is everywhere'} many={keys.length} name={name} about={about}>
      {keys.map((key) => (
        <div key={key} class="keyed">
          <span id={`${name}-${key}`}>{key}</span>
          <Choice
            options={all}
            value={value[key]}
            labelledBy={`${name} ${name}-${key}`}
            name={name}
            about={about}
            // What is undefined is not sent: the key is left out.
            change={(next) => change({ ...value, [key]: next })}
          />
        </div>
      ))}
    </Unfolding>
  );
}

/** Many inputs are folded behind what they come to. */
function Unfolding({
  summary,
  many,
  name,
  about,
  children,
}: {
  summary: string;
  many: number;
  name: string;
  about: string;
  children: ComponentChildren;
}) {
  const grid = (
    <div class="keys" role="group" aria-labelledby={name} aria-describedby={about}>
      {children}
    </div>
  );
  if (many <= 5) return grid;
  return (
    <details>
      <summary>{summary}</summary>
      {grid}
    </details>
  );
}

function Numbers({
  input: { fields, nothing },
  value,
  change,
  name,
  about,
}: Given & { input: Of<'numbers'>; value: Record<string, number> | null }) {
  const changeOne = (field: string, next: unknown) => {
    const whole = Object.fromEntries(fields.map((each) => [each, each === field ? next : (value?.[each] ?? null)]));
    const filled = Object.values(whole).some((each) => each !== null);
    return change(filled ? Object.fromEntries(Object.entries(whole).map(([key, each]) => [key, each ?? 0])) : null);
  };
  return (
    <div class="numbers" role="group" aria-labelledby={name} aria-describedby={about}>
      {fields.map((field) => (
        <div key={field}>
          <span id={`${name}-${field}`}>{field}</span>
          <Text
            input={{ kind: 'text', numeric: true, nothing }}
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

/** Taken with Enter or when it is left. What is refused stays, with the reason beside it. */
function Text({
  input: { numeric, nothing },
  value,
  change,
  label,
  about,
}: Given & { input: Of<'text'>; value: Simple; label: string }) {
  const element = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const shown = value === null ? '' : String(value);
  useLayoutEffect(() => {
    // Not under the hands of who is writing.
    if (element.current && document.activeElement !== element.current) element.current.value = shown;
  }, [shown]);
  const send = (text: string) => {
    setRefusal(undefined);
    void change(parsed(text.trim(), numeric, nothing !== undefined)).catch((error: Error) => setRefusal(error.message));
  };
  return (
    <div>
      <input
        ref={element}
        type="text"
        defaultValue={shown}
        placeholder={nothing}
        inputMode={numeric ? 'decimal' : 'text'}
        autocomplete="off"
        spellcheck={false}
        aria-labelledby={label}
        aria-describedby={about}
        aria-invalid={refusal === undefined ? undefined : 'true'}
        onChange={(event) => send(event.currentTarget.value)}
      />
      {numeric && typeof value === 'number' && value >= 60_000 && <small>{durationOf(value)}</small>}
      <p role="alert" class="refusal">
        {refusal}
      </p>
    </div>
  );
}

/** What is no number is sent as it is, for the emulator to refuse it in its own words. */
function parsed(text: string, numeric: boolean, nullable: boolean): Simple {
  if (text === '' && nullable) return null;
  return numeric && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Milliseconds as people say them. */
function durationOf(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each)!;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 2 }).format(
    ms / length,
  );
}
