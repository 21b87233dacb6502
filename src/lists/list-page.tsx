import { Box, Group, Stack } from "@mantine/core"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { useRouterState } from "@tanstack/react-router"
import { type ReactNode, type Ref, useState } from "react"
import { isUpdating } from "../../contract/response.ts"
import { requestsFor } from "../api/paging.ts"
import { formatCount } from "../lib/format.ts"
import { SelectChevron } from "../ui/field-parts.tsx"
import { Button, IconButton } from "../ui/button.tsx"
import { Notice } from "../ui/notice.tsx"
import classes from "./list-page.module.css"
import { mostParts, pageSizes } from "./list-params.ts"
import type { ListQuery, ListState } from "./list-state.ts"
import { AsOf } from "../ui/query-state.tsx"

/** The layout of a list page: it fills the window, and only its rows scroll. With a `ref` it handles the list keys. */
export function ListPage({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <Stack className={`grow ${classes.page}`} gap={0} pos="relative" ref={ref} data-list={ref && ""}>
      {children}
    </Stack>
  )
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Result of an action on the previous page: "Ana Silva was deleted". */
    note?: string
  }
}

/** Shows the result of an action on the previous page until it is closed or the page is left. */
export function ArrivalNote() {
  const { note, key } = useRouterState({
    select: ({ location: { state } }) => ({ note: state.note, key: state.__TSR_key }),
    structuralSharing: true,
  })
  const [closed, setClosed] = useState<string | undefined>()
  if (note === undefined || closed === key) return null
  return <Notice tone="success" title={note} onClose={() => setClosed(key)} />
}

/** Parts of a list's footer. */
export interface FooterParts {
  /** Replaces "1–25 of 214". */
  readonly count?: ReactNode
  readonly note?: ReactNode
  /** Replaces the pages or "Load older". */
  readonly end?: ReactNode
}

/** The footer of a list, always visible: which rows, their age, and paging. */
export function ListFooter(props: FooterParts & { query: ListQuery<unknown>; noun: string }) {
  const { query, noun, end } = props
  const { page, perPage, set } = query.state
  const read = query.at !== undefined
  const pages = query.total === undefined ? undefined : requestsFor(query.total, perPage)
  const hasNext = pages === undefined ? read && (query.read ?? query.rows.length) >= perPage : page < pages
  const grows = query.more !== undefined || (!read && "more" in query)
  return (
    <footer className={`l-meta l-num nowrap text-secondary line-above ${classes.footer}`}>
      {read && <span>{props.count ?? (end === undefined && <Shown query={query} />)}</span>}
      <AsOf
        at={query.at}
        verb={query.copied === true ? "Synced" : "Updated"}
        refreshing={query.fetching}
        updating={isUpdating(query)}
        syncing={query.syncing === true}
        onRefresh={query.refresh}
      />
      {props.note}
      <Group gap={16} wrap="nowrap" ms="auto">
        {end !== undefined ? (
          end
        ) : grows ? (
          <Older query={query} noun={noun} />
        ) : (
          <Pages {...{ pages, hasNext, page, perPage, set }} />
        )}
      </Group>
    </footer>
  )
}

/** Which rows are shown: "1–25 of 214", "100 newest". */
function Shown({ query: { total, more, rows, read = rows.length, state } }: { query: ListQuery<unknown> }) {
  const { page, perPage } = state
  if (more !== undefined) {
    return (
      <>
        <b>{formatCount(rows.length)}</b> {more ? "newest" : "total"}
      </>
    )
  }
  const first = (page - 1) * perPage + 1
  const last = first + read - 1
  const many = read < perPage ? undefined : `${formatCount(last)}+`
  const of = total === undefined ? many : formatCount(total)
  return (
    <>
      <b>{read === 0 ? "0" : `${formatCount(first)}–${formatCount(last)}`}</b>
      {rows.length < read ? `, ${formatCount(rows.length)} shown` : of !== undefined && ` of ${of}`}
    </>
  )
}

interface PagesProps extends Pick<ListState, "page" | "perPage" | "set"> {
  /** undefined while unknown. */
  pages: number | undefined
  hasNext: boolean
}

function Pages({ pages, hasNext, page, perPage, set }: PagesProps) {
  const toPage = (to: number, isThere: boolean) => ({
    disabled: !isThere,
    onClick: () => set({ page: to }),
  })
  return (
    <>
      <Group component="label" gap="sm" wrap="nowrap" visibleFrom="sm" className={classes.size}>
        Rows
        <select
          className="plain-input"
          value={perPage}
          onChange={(event) => set({ per_page: Number(event.currentTarget.value), page: undefined })}
        >
          {pageSizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
        <SelectChevron />
      </Group>
      <Group component="nav" aria-label="Pages" gap="xs" wrap="nowrap">
        <IconButton
          label="Previous page"
          icon={<IconChevronLeft size={16} stroke={1.75} />}
          {...toPage(Math.min(page - 1, pages ?? page), page > 1)}
        />
        <Box component="span" visibleFrom="sm">
          Page {formatCount(page)}
          {pages !== undefined && ` of ${formatCount(pages)}`}
        </Box>
        <IconButton
          label="Next page"
          icon={<IconChevronRight size={16} stroke={1.75} />}
          {...toPage(page + 1, hasNext)}
        />
      </Group>
    </>
  )
}

function Older({ query, noun }: { query: ListQuery<unknown>; noun: string }) {
  const { parts, set } = query.state
  if (query.more !== true) return null
  if (parts >= mostParts)
    return <span className="text-muted">Choose an earlier period to see older {noun}</span>
  return (
    <Button size="xs" loading={query.waiting} onClick={() => set({ parts: parts + 1 }, { replace: true })}>
      Load older
    </Button>
  )
}

/** The row above a list: search and filters with a clear button, and view options at the end. */
export function FilterRow(props: {
  children?: ReactNode
  onClear?: (() => void) | undefined
  end?: ReactNode
}) {
  return (
    <Group gap="sm" px="gutter" pb={12} className={classes.filters}>
      {props.children}
      {props.onClear !== undefined && (
        <Button variant="subtle" onClick={props.onClear}>
          Clear
        </Button>
      )}
      <Group gap="sm" className="at-end hide-empty">
        {props.end}
      </Group>
    </Group>
  )
}
