import { stockWord } from "./stock-words.ts"
import classes from "./stock.module.css"

/** How many pieces of a reward are left: an icon and a word. Nothing is drawn when the service did not say it. */
export function Stock({ stock }: { stock: number | null | undefined }) {
  const look = stockWord(stock)
  if (look === undefined) return null
  const { icon: Icon, level, word } = look
  return (
    <span className={classes.stock} data-level={level}>
      <Icon size={15} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  )
}
