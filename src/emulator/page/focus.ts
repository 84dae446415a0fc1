/** The section where something was pressed last. */
let section: Element | null = null;

export function pressedIn(button: Element): void {
  section = button.closest('section');
}

/** When what had the focus has gone with what was done, the reader goes on from the heading of the section. */
export function keepPlace(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) section?.querySelector<HTMLElement>('h2')?.focus();
  });
}
