import { Button } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { Segmented } from "../../../ui/segmented.tsx"
import { statusWords } from "../../../ui/status.tsx"
import { DateRange } from "./date-range.tsx"
import { ExportButton } from "../export/export-button.tsx"
import classes from "./ledger-filters.module.css"
import { daysOf, isFiltered } from "./ledger-query.ts"
import type { LedgerSearch } from "../search.ts"
import { typeOf } from "./ledger-type.ts"

const types = [
  { value: "all", label: "All" },
  ...statusWords("transaction").map(({ value, word }) => ({ value, label: word })),
]

/** Narrows the ledger. What is chosen stands in the address; a change begins at the first page. */
export function LedgerFilters({ search, timeZone }: { search: LedgerSearch; timeZone: string }) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const change = (changed: Partial<Pick<LedgerSearch, "type" | "from" | "to">>) =>
    void navigate({ to: ".", search: (now) => ({ ...now, ...changed, page: 1 }), resetScroll: false })
  return (
    <div className={classes.filters}>
      <div className={classes.types}>
        <Segmented
          label="Type"
          value={search.type ?? "all"}
          options={types}
          onChange={(value) => change({ type: typeOf(value) })}
        />
      </div>
      <DateRange days={daysOf(search)} timeZone={timeZone} onChange={change} />
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => change({ type: undefined, from: undefined, to: undefined })}>
          Clear
        </Button>
      )}
      <div className={classes.end}>
        <ExportButton
          onClick={() =>
            void navigate({
              to: ".",
              search: (now) => ({ ...now, open: "export" as const }),
              resetScroll: false,
            })
          }
        />
      </div>
    </div>
  )
}
