import { exact, shortDay } from "../../../lib/time.ts"
import { Tooltip } from "../../../ui/tooltip.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { soonDays } from "../list/cards-search.ts"
import { daysLeft, daysLeftWords } from "./card-words.ts"
import classes from "./expiry.module.css"

/** When a card ends: the day, and louder when that is soon or past. */
export function Expiry({ at }: { at: string | null }) {
  const now = useNow("half-minute")
  const days = daysLeft(at, now)
  if (at === null || days === undefined) return null
  const soon = days <= soonDays
  return (
    <Tooltip label={soon ? `${daysLeftWords(days)}: ${exact(at)}` : exact(at)}>
      <time dateTime={at} className={`l-num ${classes.day}`} data-soon={(soon && days >= 0) || undefined}>
        {days < 0 ? "Expired" : shortDay(at, now)}
      </time>
    </Tooltip>
  )
}
