import { useEffect, useState } from "react"
import classes from "./skeleton-rows.module.css"

interface SkeletonRowsProps {
  rows?: number
  /** Bar widths in px, one a column, the last at the right end. */
  columns?: readonly number[]
}

const usualColumns = [160, 200, 120, 64]

/** Rows of the real height with bars where words will be. Appears after 150 ms, so quick answers never flash. */
export function SkeletonRows({ rows = 8, columns = usualColumns }: SkeletonRowsProps) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output className={classes.rows} data-shown={shown || undefined}>
      <span className="l-spoken">Loading…</span>
      {barWidths(rows, columns).map((bars) => (
        <span key={bars.join()} className={classes.row} aria-hidden>
          {bars.map((width) => (
            <span key={width} className={classes.bar} style={{ width }} />
          ))}
        </span>
      ))}
    </output>
  )
}

/** Rows differ a little, as words do; no two rows and no two bars of a row are equal, so widths are keys too. */
function barWidths(rows: number, columns: readonly number[]): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    columns.map((width, column) => width - ((row * 37 + column * 13) % 40) + (row * 8 + column) / 1000),
  )
}
