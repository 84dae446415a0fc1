import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

/** A button that can't be pressed again while what it began is under way. */
export function ActionButton({
  run,
  children,
  quiet = true,
  label,
}: {
  run: () => Promise<unknown>;
  children: ComponentChildren;
  /** One of many: drawn as an outline. */
  quiet?: boolean;
  /** What it does, where its text does not say to what. */
  label?: string;
}) {
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void run().finally(() => setBusy(false));
  };
  return (
    <button
      type="button"
      class={quiet ? 'outline secondary small' : 'small'}
      aria-busy={busy}
      aria-label={label}
      disabled={busy}
      onClick={press}
    >
      {children}
    </button>
  );
}

export interface Field {
  name: string;
  label: string;
  value?: string;
  inputMode?: 'numeric' | 'decimal' | 'text';
  options?: readonly { value: string; label: string }[];
  required?: boolean;
  hint?: string;
}

/** A button that asks for something in a dialog before it acts. The dialog stays open when that was refused. */
export function FormButton({
  children,
  label,
  title,
  fields,
  submit,
  run,
  quiet = true,
}: {
  children: ComponentChildren;
  label?: string;
  title: string;
  fields: readonly Field[];
  submit: string;
  /** @returns undefined when it was refused */
  run: (values: Record<string, string>) => Promise<unknown>;
  quiet?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [busy, setBusy] = useState(false);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const values = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
    );
    setBusy(true);
    void run(values)
      .then((answer) => {
        if (answer === undefined) return;
        dialog.current?.close();
        form.reset();
      })
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button
        type="button"
        class={quiet ? 'outline secondary small' : 'small'}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        {children}
      </button>
      <dialog ref={dialog} aria-labelledby={heading}>
        <article>
          <h3 id={heading}>{title}</h3>
          <form onSubmit={send}>
            {fields.map((field) => (
              <FieldInput key={field.name} field={field} />
            ))}
            <footer>
              <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
                Close
              </button>
              <button type="submit" aria-busy={busy} disabled={busy}>
                {submit}
              </button>
            </footer>
          </form>
        </article>
      </dialog>
    </>
  );
}

function FieldInput({ field }: { field: Field }) {
  const { name, label, value = '', inputMode, options, required = true, hint } = field;
  return (
    <label>
      {label}
      {options ? (
        <select name={name} required={required}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          type="text"
          defaultValue={value}
          inputMode={inputMode}
          required={required}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {hint && <small>{hint}</small>}
    </label>
  );
}

/** A part of the page with its heading, how many things it holds, and what it says when it holds none. */
export function Section({
  id,
  title,
  count,
  empty,
  children,
  aside,
}: {
  id: string;
  title: string;
  count: number;
  empty: string;
  children: ComponentChildren;
  /** Beside the heading. */
  aside?: ComponentChildren;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <header class="section">
        <h2 id={`${id}-title`}>
          {title} <span class="count">{count}</span>
        </h2>
        {aside}
      </header>
      {count === 0 ? <p class="empty">{empty}</p> : children}
    </section>
  );
}

/** A word for a state; its colour says the same. */
export function State({ state }: { state: string }) {
  return <span class={`state ${tone(state)}`}>{state}</span>;
}

const GOOD = new Set(['COMPLETE', 'COMPLETED', 'LIVE', 'ACCEPTED', 'VERIFIED', 'ENABLED', 'CONFIRMED']);
const BAD = new Set(['FAILED', 'DENIED', 'STUCK', 'FROZEN', 'REJECTED', 'DISABLED', 'LOCKED', 'EXPIRED', 'CANCELLED']);

function tone(state: string): 'good' | 'bad' | 'open' {
  if (GOOD.has(state)) return 'good';
  return BAD.has(state) ? 'bad' : 'open';
}

/** A long id or address, cut for the eye; whole for who copies or hovers. */
export function Short({ text }: { text: string }) {
  if (text.length <= 14) return <code>{text}</code>;
  return (
    <code title={text}>
      {text.slice(0, 8)}…{text.slice(-4)}
    </code>
  );
}

export function Time({ at }: { at: string }) {
  const date = new Date(at);
  return <time dateTime={at}>{date.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' })}</time>;
}
