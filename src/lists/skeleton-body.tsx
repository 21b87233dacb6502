import type { ColumnLook } from "./list-column.ts"
import classes from "./list-table.module.css"

interface SkeletonBodyProps {
  columns: readonly (ColumnLook | undefined)[]
  picking: boolean
}

/** Rows of the real height under the real heads, with bars where words will be. */
export function SkeletonBody({ columns, picking }: SkeletonBodyProps) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: 12 }, (_, row) => (
        <tr key={row} className={classes.row}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control */}
          {picking && <td className={classes.pick} />}
          {columns.map((look, column) => (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a hidden cell, not a control
            <td key={look?.label} data-end={look?.end || undefined}>
              <span className={classes.bar} style={{ width: `${45 + ((row * 17 + column * 29) % 40)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
