/**
 * A ref for the button that is next once something has happened: it takes the focus as it is drawn, unless a person is
 * typing somewhere.
 */
export function focusWhenDrawn(button: HTMLButtonElement | null): void {
  const typing =
    document.activeElement instanceof HTMLInputElement ||
    document.activeElement instanceof HTMLTextAreaElement
  if (button !== null && !typing) button.focus({ preventScroll: true })
}
