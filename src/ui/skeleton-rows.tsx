import { useEffect, useState } from "react"
import classes from "./skeleton-rows.module.css"

interface SkeletonRowsProps {
  rows?: number
  /** Bar widths in px, one a column, the last at the right end. */
  columns?: readonly number[]
}

/** Rows of the real height with bars where words will be. Appears after 150 ms, so quick answers never flash. */
export function SkeletonRows({ rows = 8, columns = [160, 200, 120, 64] }: SkeletonRowsProps) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.rows} role="status" data-shown={shown || undefined}>
      <span className={classes.spoken}>Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row} aria-hidden>
          {columns.map((width, column) => (
            // Rows differ a little, as words do.
            <span
              key={column}
              className={classes.bar}
              style={{ width: width - ((row * 37 + column * 13) % 40) }}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
