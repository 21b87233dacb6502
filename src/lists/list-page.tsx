import { Button } from "@mantine/core"
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconX } from "@tabler/icons-react"
import { useRouterState } from "@tanstack/react-router"
import { type ReactNode, type Ref, useState } from "react"
import { formatCount } from "../lib/format.ts"
import { type PageSize, pageSizes } from "./list-params.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { Notice } from "../ui/notice.tsx"
import classes from "./list-page.module.css"

/** The frame of a list page: it fills the window, and only its rows scroll. */
export function ListPage({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div className={classes.page} ref={ref}>
      {children}
    </div>
  )
}

/** The rows of a list that are no table; they scroll for themselves. */
export function ScrollingRows({ children }: { children: ReactNode }) {
  return (
    <div className={classes.rows} data-scroll-restoration-id="rows">
      {children}
    </div>
  )
}

/** Notes above the rows: an error, the age of an old answer. */
export function ListNotes({ children }: { children: ReactNode }) {
  return <div className={classes.notes}>{children}</div>
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** What was done on the page somebody comes from: "Ana Silva was deleted". */
    note?: string
  }
}

/** Says what was just done elsewhere, to whoever comes from there. It stays until it is closed or left. */
export function ArrivalNote() {
  const { note, key } = useRouterState({
    select: ({ location: { state } }) => ({ note: state.note, key: state.__TSR_key }),
    structuralSharing: true,
  })
  const [closed, setClosed] = useState<string | undefined>()
  if (note === undefined || closed === key) return null
  return (
    <Notice
      tone="success"
      title={note}
      end={
        <IconButton
          label="Close"
          icon={<IconX size={14} stroke={2} />}
          size="sm"
          onClick={() => setClosed(key)}
        />
      }
    />
  )
}

interface ListFootProps {
  count: ReactNode
  asOf: ReactNode
  children?: ReactNode
}

/** The foot of a list, always in view. */
export function ListFoot({ count, asOf, children }: ListFootProps) {
  return (
    <footer className={classes.foot}>
      {count !== null && <span className={classes.count}>{count}</span>}
      {asOf}
      {children !== undefined && <div className={classes.end}>{children}</div>}
    </footer>
  )
}

interface PagingFootProps {
  page: number
  perPage: PageSize
  rows: number | undefined
  total: number | undefined
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

interface FilterRowProps {
  children?: ReactNode
  onClear?: (() => void) | undefined
  end?: ReactNode
}

/** The row above a list: search, filters, and what changes how the list is shown. */
export function FilterRow({ children, onClear, end }: FilterRowProps) {
  return (
    <div className={classes.row}>
      {children}
      {onClear !== undefined && (
        <Button variant="subtle" onClick={onClear}>
          Clear
        </Button>
      )}
      {end !== undefined && <div className={classes.filterRowEnd}>{end}</div>}
    </div>
  )
}
