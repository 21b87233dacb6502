import { IconFlask, IconMailCheck, IconPoint } from "@tabler/icons-react"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import words from "../../../ui/status.module.css"
import classes from "./card-status.module.css"

/**
 * A card's status as the service said it last, and whether it is a test card (look, Status vocabulary). The one value
 * the document shows is `issued`; any other is shown as it comes.
 */
export function CardStatus({
  card: { status, is_test },
  pill = false,
}: {
  card: Pick<RegisteredCard, "status" | "is_test">
  /** Tinted, only beside an `h1`. */
  pill?: boolean
}) {
  const issued = status?.toLowerCase() === "issued"
  const Icon = issued ? IconMailCheck : IconPoint
  return (
    <span className={classes.both}>
      {status !== null && status !== "" && (
        <span className={words.status} data-tone={issued ? "success" : "grey"} data-pill={pill || undefined}>
          <Icon size={15} stroke={2} aria-hidden className={words.icon} />
          {issued ? "Issued" : status}
        </span>
      )}
      {is_test === true && (
        <span
          className={`${words.status} ${classes.test}`}
          data-tone="warning"
          data-pill={pill || undefined}
          title="Test card: the fund wasn’t charged"
        >
          <IconFlask size={15} stroke={2} aria-hidden className={words.icon} />
          Test
        </span>
      )}
    </span>
  )
}
