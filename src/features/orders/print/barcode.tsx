import classes from "./papers.module.css"
import { barsOf } from "./code128.ts"

/** Width of the narrowest bar, in mm: what cheap scanners read from paper. */
const module = 0.33
/** White on both sides, in modules: without it a scanner does not find the symbol. */
const quiet = 10

/** An order's id for the scanner; nothing where it could not be read back. */
export function Barcode({ text, small = false }: { text: string; small?: boolean }) {
  const symbol = barsOf(text)
  if (symbol === null) return null
  const width = symbol.width + 2 * quiet
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no file that an <img> could show
      role="img"
      className={small ? classes.smallBarcode : classes.barcode}
      aria-label={`Barcode of ${text}`}
      width={`${(width * (small ? module * 0.75 : module)).toFixed(2)}mm`}
      viewBox={`${-quiet} 0 ${width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      <path d={symbol.bars.map((bar) => `M${bar.at} 0h${bar.width}v1h-${bar.width}z`).join("")} />
    </svg>
  )
}
