/** A cell of the grid: the place of its row in the view, and of its column among those shown. */
export interface GridPlace {
  readonly position: number
  readonly column: number
}

interface Extent {
  readonly rows: number
  readonly columns: number
  /** Rows that Page up and Page down go by. */
  readonly page: number
}

/**
 * Where a key leads from a cell; null when it leads nowhere, so that the page has it. Tab goes through the cells of
 * one row and then leaves the grid: nobody is caught in a hundred thousand rows.
 */
export function gridMove(
  { key, ctrl, shift }: { readonly key: string; readonly ctrl: boolean; readonly shift: boolean },
  { position, column }: GridPlace,
  { rows, columns, page }: Extent,
): GridPlace | null {
  const to = (row: number, col: number): GridPlace => ({
    position: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, col)),
  })
  switch (key) {
    case "ArrowUp":
      return to(ctrl ? 0 : position - 1, column)
    case "ArrowDown":
      return to(ctrl ? rows - 1 : position + 1, column)
    case "ArrowLeft":
      return to(position, column - 1)
    case "ArrowRight":
      return to(position, column + 1)
    case "Home":
      return to(ctrl ? 0 : position, 0)
    case "End":
      return to(ctrl ? rows - 1 : position, columns - 1)
    case "PageUp":
      return to(position - page, column)
    case "PageDown":
      return to(position + page, column)
    case "Tab": {
      const next = column + (shift ? -1 : 1)
      return next < 0 || next >= columns ? null : to(position, next)
    }
    default:
      return null
  }
}
