import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepPlace, pressedIn } from './focus.js';
import type { Field } from './field.js';
import { FieldInput } from './fieldInput.js';
import { useWorld } from './world.js';

interface ButtonProps {
  children: ComponentChildren;
  /** What it does, where its text does not say to what. */
  label?: string;
  /** The usual thing to do: drawn full. */
  main?: boolean;
}

const look = (main: boolean | undefined) => (main ? 'small' : 'outline secondary small');

/** A button that can't be pressed again while what it began is under way. */
export function ActionButton({ run, children, label, main }: ButtonProps & { run: () => Promise<unknown> }) {
  const { complain } = useWorld();
  const [busy, setBusy] = useState(false);
  const press = (button: Element) => {
    if (busy) return;
    pressedIn(button);
    setBusy(true);
    void run()
      .catch(complain)
      .finally(() => {
        setBusy(false);
        keepPlace();
      });
  };
  // A disabled button would lose the focus.
  return (
    <button
      type="button"
      class={look(main)}
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
  /** Said before the fields. */
  about?: string;
}

/** A button that asks for something in a dialog before it acts. */
export function FormButton({ children, label, main, ...form }: ButtonProps & FormProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={look(main)}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={(event) => {
          pressedIn(event.currentTarget);
          setOpen(true);
        }}
      >
        {children}
      </button>
      {open && <FormDialog {...form} close={() => setOpen(false)} />}
    </>
  );
}

/** Stays open when what it does is refused, and says why. */
function FormDialog({ title, fields, submit, run, about, close }: FormProps & { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return keepPlace;
  }, []);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const entries = [...new FormData(event.target as HTMLFormElement)];
    setBusy(true);
    setRefusal(undefined);
    void run(Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : ''])))
      .then(() => dialog.current?.close())
      .catch((error: Error) => setRefusal(error.message))
      .finally(() => setBusy(false));
  };
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={close}>
      <article>
        <h3 id={heading}>{title}</h3>
        {about && <p>{about}</p>}
        <form onSubmit={send}>
          {fields.map((field) => (
            <FieldInput key={field.name} field={field} />
          ))}
          <p role="alert" class="refusal">
            {refusal}
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
