import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { nextRequestAt } from "../../api/request.ts"
import { budgetQuery } from "../../api/status.ts"
import { Kbd } from "../../ui/kbd.tsx"
import { useNow } from "../../ui/use-now.ts"
import { useExternalValue } from "../../ui/use-external-value.ts"
import classes from "./palette.module.css"
import type { MemberHits } from "./use-member-hits.ts"

/** The keys, and what the search costs. */
export function PaletteFoot({ hits }: { hits: MemberHits }) {
  return (
    <div className={classes.foot}>
      <span className={classes.hint}>
        <Kbd>
          <IconArrowUp size={10} stroke={2.5} aria-label="Up" />
        </Kbd>
        <Kbd>
          <IconArrowDown size={10} stroke={2.5} aria-label="Down" />
        </Kbd>
        choose
      </span>
      <span className={classes.hint}>
        <Kbd>Enter</Kbd> open
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
