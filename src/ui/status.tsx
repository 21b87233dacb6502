import classes from "./status.module.css"
import { statusWord, type StatusOf } from "./status-vocabulary.ts"

interface StatusProps {
  of: StatusOf
  /** As the service sent it. Nothing is drawn for a missing value. */
  value: string | null | undefined
  /** Tinted, only beside an `h1`. */
  pill?: boolean
}

/** A status: an icon and a word, never colour alone. Unknown values are shown as they come. */
export function Status({ of, value, pill = false }: StatusProps) {
  if (value === null || value === undefined || value === "") return null
  const { icon: Icon, tone, word } = statusWord(of, value)
  return (
    <span className={classes.status} data-tone={tone} data-pill={pill || undefined}>
      <Icon size={15} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  )
}
