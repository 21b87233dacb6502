import { IconChevronDown, IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { formatCount } from "../lib/format.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { pageSizes, type PageSize } from "./list-params.ts"
import { ListFoot } from "./list-foot.tsx"
import classes from "./list-foot.module.css"

interface PagingFootProps {
  page: number
  perPage: PageSize
  /** Rows on this page; undefined before they are read. */
  rows: number | undefined
  /** Rows in all, where the service says it. */
  total: number | undefined
  /** In place of "1–25 of 214", where the list counts in another way. */
  count?: ReactNode
  asOf: ReactNode
  onPage: (page: number) => void
  onPerPage: (perPage: PageSize) => void
}

/** The foot of a paged list: which rows, how old, how many a page, which page. */
export function PagingFoot(props: PagingFootProps) {
  const { page, perPage, rows, total } = props
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const hasNext = pages === undefined ? (rows ?? 0) >= perPage : page < pages
  return (
    <ListFoot
      count={props.count ?? (rows === undefined ? null : <Range {...props} rows={rows} />)}
      asOf={props.asOf}
    >
      <label className={classes.size}>
        Rows
        <span className={classes.choose}>
          <select
            className={classes.select}
            value={perPage}
            onChange={(event) => {
              const chosen = pageSizes.find((size) => String(size) === event.currentTarget.value)
              if (chosen !== undefined) props.onPerPage(chosen)
            }}
          >
            {pageSizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </span>
      </label>
      <nav className={classes.pages} aria-label="Pages">
        <IconButton
          label="Previous page"
          icon={<IconChevronLeft size={16} stroke={1.75} />}
          disabled={page <= 1}
          onClick={() => props.onPage(pages === undefined ? page - 1 : Math.min(page - 1, pages))}
        />
        <span>
          Page {formatCount(page)}
          {pages !== undefined && ` of ${formatCount(pages)}`}
        </span>
        <IconButton
          label="Next page"
          icon={<IconChevronRight size={16} stroke={1.75} />}
          disabled={!hasNext}
          onClick={() => props.onPage(page + 1)}
        />
      </nav>
    </ListFoot>
  )
}

function Range({
  page,
  perPage,
  rows,
  total,
}: {
  page: number
  perPage: number
  rows: number
  total: number | undefined
}) {
  const first = (page - 1) * perPage + 1
  const last = first + rows - 1
  const of = total === undefined ? (rows < perPage ? undefined : `${formatCount(last)}+`) : formatCount(total)
  return (
    <>
      <b className={classes.range}>{rows === 0 ? "0" : `${formatCount(first)}–${formatCount(last)}`}</b>
      {of !== undefined && ` of ${of}`}
    </>
  )
}
