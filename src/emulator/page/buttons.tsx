import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Field } from './field.js';
import { FieldInput } from './fieldInput.js';
import { rememberSection, restoreFocus } from './focus.js';
import { useModal } from './useModal.js';
import { useWorld } from './world.js';

interface ButtonProps {
  children: ComponentChildren;
  /** Accessible name, for buttons whose text does not name their object. */
  label?: string;
  /** The main action of a row, drawn filled. */
  main?: boolean;
}

const buttonClass = (main: boolean | undefined) => (main ? 'small' : 'outline secondary small');

/** A button that ignores clicks while its action runs. */
export function ActionButton({ run, children, label, main }: ButtonProps & { run: () => Promise<unknown> }) {
  const { showError } = useWorld();
  const [busy, setBusy] = useState(false);
  const press = (button: Element) => {
    if (busy) return;
    rememberSection(button);
    setBusy(true);
    void run()
      .catch(showError)
      .finally(() => {
        setBusy(false);
        restoreFocus();
      });
  };
  // A disabled button would lose focus, so the button is only marked as disabled, with `aria-disabled`.
  return (
    <button
      type="button"
      class={buttonClass(main)}
      aria-busy={busy}
      aria-disabled={busy}
      aria-label={label}
      onClick={(event) => press(event.currentTarget)}
    >
      {children}
    </button>
  );
}

export interface FormProps {
  title: string;
  fields: readonly Field[];
  submit: string;
  run: (values: Record<string, string>) => Promise<unknown>;
  /** Text above the fields. */
  description?: string;
}

/** A button that opens a dialog with fields before it acts. */
export function FormButton({ children, label, main, ...form }: ButtonProps & FormProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={buttonClass(main)}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={(event) => {
          rememberSection(event.currentTarget);
          setOpen(true);
        }}
      >
        {children}
      </button>
      {open && <FormDialog {...form} close={() => setOpen(false)} />}
    </>
  );
}

/** Stays open and shows the error if the action fails. */
function FormDialog({ title, fields, submit, run, description, close }: FormProps & { close: () => void }) {
  const dialog = useModal(close);
  const heading = useId();
  const [busy, setBusy] = useState(false);
  const [errorMessage, setErrorMessage] = useState<string>();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const entries = [...new FormData(event.target as HTMLFormElement)];
    setBusy(true);
    setErrorMessage(undefined);
    void run(Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : ''])))
      .then(() => dialog.current?.close())
      .catch((error: Error) => setErrorMessage(error.message))
      .finally(() => setBusy(false));
  };
  return (
    <dialog ref={dialog} aria-labelledby={heading}>
      <article>
        <h3 id={heading}>{title}</h3>
        {description && <p>{description}</p>}
        <form onSubmit={send}>
          {fields.map((field) => (
            <FieldInput key={field.name} field={field} />
          ))}
          <p role="alert" class="error">
            {errorMessage}
          </p>
          <footer>
            <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
              Close
            </button>
            <button type="submit" aria-busy={busy} aria-disabled={busy}>
              {submit}
            </button>
          </footer>
        </form>
      </article>
    </dialog>
  );
}
