import type { ColumnView, FieldView, SheetView } from "../sheet/sheet-view.ts"

/** Columns that are not used are shown up to this many in all. */
const most = 12

/** A column as the grid draws it. */
export interface GridColumn extends ColumnView {
  readonly spec: FieldView | undefined
  /** px; the last column takes what is left besides. */
  readonly width: number
}

/** Columns to draw, in the file's order: those in use, and others as far as there is room or `all` asks for them. */
export function shownColumns({ columns, fields }: SheetView, all: boolean): readonly GridColumn[] {
  const used = columns.filter((column) => column.field !== null).length
  let spare = all ? columns.length : Math.max(0, most - used)
  const shown: GridColumn[] = []
  for (const column of columns) {
    if (column.field === null) {
      if (spare === 0) continue
      spare -= 1
    }
    const spec = fields.find((field) => field.key === column.field)
    shown.push({ ...column, spec, width: widthOf(spec) })
  }
  return shown
}

function widthOf(spec: FieldView | undefined): number {
  if (spec === undefined) return 120
  if (spec.end) return 184
  return spec.mono || spec.key === "email" ? 248 : 184
}
