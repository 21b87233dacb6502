/** Height of a row where the page says nothing else, in px. */
const usual = 40
/** Height of a row that is touched rather than pointed at, in px. */
const touched = 56

/** The height of a row here, in px: rows are not measured one by one, so that drawing them stays quick. */
export function rowHeight(within: Element, touch: boolean): number {
  if (touch) return touched
  return Number.parseFloat(getComputedStyle(within).getPropertyValue("--l-density-row")) || usual
}
