import { NativeSelect } from "@mantine/core"
import "@mantine/core/styles/Input.layer.css"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import type { Transaction } from "../../../../contract/program/points.ts"
import type { Answer } from "../../../api/request.ts"
import { SelectChevron } from "../../../form/select-chevron.tsx"
import { formatCount } from "../../../lib/format.ts"
import { AsOf } from "../../../ui/as-of.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import classes from "./ledger-foot.module.css"
import { ledgerPageSizes, type LedgerSearch } from "./ledger-search.ts"

interface LedgerFootProps {
  search: LedgerSearch
  answer: Answer<Transaction[]>
  refreshing: boolean
  onRefresh: () => void
}

/** Where the rows on screen stand in the ledger. Without a total from the service none is named. */
export function LedgerFoot({ search, answer, refreshing, onRefresh }: LedgerFootProps) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const go = (changed: Partial<Pick<LedgerSearch, "page" | "per_page">>) =>
    void navigate({ to: ".", search: (now) => ({ ...now, ...changed }), resetScroll: false })
  const { page, per_page: perPage } = search
  const total = answer.meta?.total
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const isLast = pages === undefined ? answer.data.length < perPage : page >= pages
  const first = (page - 1) * perPage + 1
  return (
    <div className={classes.foot}>
      <span>
        <b>
          {answer.data.length === 0
            ? "0"
            : `${formatCount(first)}–${formatCount(first + answer.data.length - 1)}`}
        </b>
        {total !== undefined && ` of ${formatCount(total)}`}
      </span>
      <AsOf at={answer.at} refreshing={refreshing} onRefresh={onRefresh} />
      <span className={classes.pages}>
        <NativeSelect
          size="xs"
          aria-label="Rows on a page"
          className={classes.size}
          rightSection={<SelectChevron />}
          data={ledgerPageSizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
          value={String(perPage)}
          onChange={(event) => {
            const size = ledgerPageSizes.find((each) => String(each) === event.currentTarget.value)
            if (size !== undefined) go({ per_page: size, page: 1 })
          }}
        />
        <IconButton
          label="Page before"
          icon={<IconChevronLeft size={16} stroke={2} />}
          disabled={page <= 1}
          onClick={() => go({ page: page - 1 })}
        />
        Page {formatCount(page)}
        {pages !== undefined && ` of ${formatCount(pages)}`}
        <IconButton
          label="Next page"
          icon={<IconChevronRight size={16} stroke={2} />}
          disabled={isLast}
          onClick={() => go({ page: page + 1 })}
        />
      </span>
    </div>
  )
}
