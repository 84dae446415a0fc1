import { useLayoutEffect, useRef } from 'preact/hooks';
import { restoreFocus } from './focus.js';

/**
 * Opens a `<dialog>` as a modal when it is first rendered.
 * @param onClosed Called after the user or the page has closed the dialog. It stops rendering the dialog.
 * @returns the ref of the `<dialog>`
 */
export function useModal(onClosed: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // The browser sends the `close` event with its next frame, but handles keys before that. Escape and a quick Enter would
    // then not reopen the dialog, because the page would still treat it as open. The observer runs before the next key.
    const observer = new MutationObserver(() => {
      if (!element.open) onClosed();
    });
    observer.observe(element, { attributeFilter: ['open'] });
    return () => {
      observer.disconnect();
      restoreFocus();
    };
  }, []);
  return dialog;
}
