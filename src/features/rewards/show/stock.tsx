import { AsSent } from "../../../ui/values.tsx"
import { stockWord } from "./stock-words.ts"
import classes from "./stock.module.css"

interface StockProps {
  stock: number | null | undefined
  /** What the service sent instead of a number of pieces. */
  sent?: unknown
}

/** How many pieces of a reward are left: an icon and a word. Nothing is drawn when the service did not say it. */
export function Stock({ stock, sent }: StockProps) {
  const look = stockWord(stock)
  if (look === undefined) return <AsSent sent={sent} />
  const { icon: Icon, level, word } = look
  return (
    <span className={classes.stock} data-level={level}>
      <Icon size={15} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  )
}
