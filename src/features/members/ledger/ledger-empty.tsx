import { Button } from "@mantine/core"
import { IconListSearch, IconReceipt } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { rangeWords } from "../../../lib/days.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { statusWord } from "../../../ui/status.tsx"
import { daysOf, isFiltered } from "./ledger-query.ts"
import { ledgerDefaults, type LedgerSearch } from "../search.ts"

interface LedgerEmptyProps {
  search: LedgerSearch
  /** Rows in all that match, as the service counts them. */
  total: number | undefined
}

/** Where the rows would be. Names what narrows the ledger. */
export function LedgerEmpty({ search, total = 0 }: LedgerEmptyProps) {
  if (total > 0 || (search.page > 1 && !isFiltered(search))) {
    return (
      <EmptyState
        icon={IconListSearch}
        title={`Page ${search.page} is past the end`}
        actions={<ToLedger search={{ ...search, page: 1 }}>First page</ToLedger>}
      />
    )
  }
  if (!isFiltered(search)) {
    return (
      <EmptyState
        icon={IconReceipt}
        title="No transactions yet"
        help="Awards, redemptions and deductions appear here."
      />
    )
  }
  const filters = [
    search.type && `type ${statusWord("transaction", search.type).word}`,
    rangeWords(daysOf(search)),
  ].filter(Boolean)
  return (
    <EmptyState
      icon={IconListSearch}
      title="No rows match"
      help={`Filters: ${filters.join(", ")}.`}
      actions={
        <ToLedger search={{ ...search, ...ledgerDefaults, type: undefined, from: undefined, to: undefined }}>
          Clear the filters
        </ToLedger>
      }
    />
  )
}

function ToLedger({ search, children }: { search: LedgerSearch; children: string }) {
  return (
    <Button
      renderRoot={(props) => (
        <Link {...props} from="/members/$memberId" to="." search={search} resetScroll={false} />
      )}
    >
      {children}
    </Button>
  )
}
