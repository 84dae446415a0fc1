/** The section of the button that was pressed last. */
let section: Element | null = null;

export function rememberSection(button: Element): void {
  section = button.closest('section');
}

/** If an action has removed the focused element, moves the focus to the heading of the section. */
export function restoreFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) section?.querySelector<HTMLElement>('h2')?.focus();
  });
}
