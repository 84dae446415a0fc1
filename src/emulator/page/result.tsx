import { useId, useRef, useState } from 'preact/hooks';
import { useModal } from './useModal.js';
import type { CopyableResult } from './world.js';

/** Shows values that the user's client has received, with a copy button for each. */
export function ResultDialog({ result, close }: { result: CopyableResult; close: () => void }) {
  const dialog = useModal(close);
  const heading = useId();
  return (
    <dialog ref={dialog} aria-labelledby={heading}>
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
    // A page loaded by plain HTTP from another machine has no clipboard. The text stays selected, so the user can copy it.
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
