import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepPlace } from './focus.js';
import type { Result } from './world.js';

/** Texts that the user's client has got, each to be copied. */
export function ResultDialog({ result, close }: { result: Result; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return keepPlace;
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={close}>
      <article>
        <h3 id={heading}>{result.title}</h3>
        {result.texts.map(({ label, text }) => (
          <CopyField key={label} label={label} text={text} />
        ))}
        <footer>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </footer>
      </article>
    </dialog>
  );
}

function CopyField({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    input.current?.select();
    // There is no clipboard on a page that came from another machine by plain HTTP: the text is selected, at least.
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div class="copy">
      <label>
        {label}
        <input ref={input} readOnly value={text} />
      </label>
      <button type="button" class="outline secondary small" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
