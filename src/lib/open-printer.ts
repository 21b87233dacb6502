/** Opens the browser's print dialog. */
export function openPrinter(): void {
  // oxlint-disable-next-line no-alert -- it opens the printer's dialog, not a message
  window.print()
}
