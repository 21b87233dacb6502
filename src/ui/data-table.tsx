import { type ReactNode, useRef } from "react"
import { useListKeys } from "./list-keys.ts"
import classes from "./data-table.module.css"

/** A column of a small table. */
export interface DataColumn<T> {
  readonly id?: string
  readonly label: string
  readonly quiet?: boolean
  readonly end?: boolean
  readonly rowHeader?: boolean
  readonly width?: number
  /** Hidden on narrow windows: `tablet` below 900 px, `phone` below 640 px. */
  readonly hideBelow?: "tablet" | "phone"
  readonly cell: (row: T, index: number) => ReactNode
}

/** A small table without list state: settings, reports, previews of a file. Use `ResourceList` for records. */
export function DataTable<T>(props: {
  label: string
  columns: readonly DataColumn<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  toneOf?: (row: T) => "quiet" | undefined
  wide?: boolean
}) {
  const { columns, keyOf, toneOf, wide = false } = props
  const table = useRef<HTMLTableElement>(null)
  useListKeys(table)
  // The last column on a narrow window.
  const last = columns.findLast(({ hideBelow }) => hideBelow === undefined)
  const attributes = (column: DataColumn<T>) => ({
    "data-end": column.end || undefined,
    "data-hide-below": column.hideBelow,
    "data-stays": column === last || undefined,
  })
  return (
    <table
      ref={table}
      data-list
      className={classes.table}
      data-wide={wide || undefined}
      aria-label={props.label}
    >
      <thead className="table-head" data-sticky={wide || undefined}>
        <tr>
          {columns.map((column) => (
            <th
              key={column.id ?? column.label}
              scope="col"
              style={{ width: column.width }}
              {...attributes(column)}
            >
              {column.quiet === true ? <span className="visually-hidden">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row, index) => (
          <tr key={keyOf(row)} data-row={keyOf(row)} data-tone={toneOf?.(row)}>
            {columns.map((column) => {
              const Cell = column.rowHeader ? "th" : "td"
              return (
                <Cell
                  key={column.id ?? column.label}
                  scope={column.rowHeader ? "row" : undefined}
                  {...attributes(column)}
                >
                  {column.cell(row, index)}
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DescriptionItem = readonly [label: string, value: ReactNode]

/**
 * Labelled facts: the label above the value (`stacked`, in a record's facts), or left of it with the value at the right
 * end (`inline`). An empty value is shown as `missing` (null: the fact is omitted, like `false` and `undefined`).
 */
export function DescriptionList(props: {
  items: readonly (DescriptionItem | false | undefined)[]
  layout?: "stacked" | "inline"
  gap?: number
  missing?: string | null
}) {
  const { items, layout = "stacked", gap, missing = "Not given" } = props
  return (
    <dl className={classes.facts} data-layout={layout} style={{ gap }}>
      {items
        .filter((item) => item !== undefined && item !== false)
        .filter(([, value]) => missing !== null || !isEmpty(value))
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{isEmpty(value) ? <span className="text-muted">{missing}</span> : value}</dd>
          </div>
        ))}
    </dl>
  )
}

function isEmpty(value: ReactNode): boolean {
  return value === undefined || value === null || value === "" || value === false
}
