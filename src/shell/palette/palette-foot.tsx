import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { nextRequestAt } from "../../api/request.ts"
import { budgetQuery } from "../../api/status.ts"
import { useExternalValue, useNow } from "../../ui/hooks.ts"
import classes from "./palette.module.css"
import type { MemberHits } from "./palette-items.ts"

/** The keys, and what the search costs. */
export function PaletteFoot({ hits }: { hits: MemberHits }) {
  return (
    <div className={classes.foot}>
      <span className={classes.hint}>
        <kbd>
          <IconArrowUp size={10} stroke={2.5} aria-label="Up" />
        </kbd>
        <kbd>
          <IconArrowDown size={10} stroke={2.5} aria-label="Down" />
        </kbd>
        choose
      </span>
      <span className={classes.hint}>
        <kbd>Enter</kbd> open
      </span>
      <span className={classes.cost}>
        <Cost hits={hits} />
      </span>
    </div>
  )
}

function Cost({ hits }: { hits: MemberHits }) {
  const { data } = useQuery(budgetQuery)
  const waitsUntil = useExternalValue(nextRequestAt)
  const now = useNow("second")
  if (hits.searching && waitsUntil !== null) {
    return `Next request in ${Math.max(1, Math.ceil((waitsUntil - now) / 1000))} s`
  }
  const left = data?.find(({ api }) => api === "program")?.left
  const spent =
    hits.age === null ? (hits.searching ? "1 request" : "") : hits.age === 0 ? "1 request" : "No request"
  return [spent, left === undefined ? "" : `${left} left`].filter(Boolean).join(", ")
}
