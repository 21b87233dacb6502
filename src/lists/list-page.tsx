import { Box, Button, Group, NativeSelect, Stack } from "@mantine/core"
import { IconChevronLeft, IconChevronRight, IconX } from "@tabler/icons-react"
import { useRouterState } from "@tanstack/react-router"
import { type ReactNode, type Ref, useState } from "react"
import { formatCount } from "../lib/format.ts"
import { SelectChevron } from "../ui/field-parts.tsx"
import { IconButton } from "../ui/icon-button.tsx"
import { Notice } from "../ui/notice.tsx"
import classes from "./list-page.module.css"
import { type PageSize, pageSizes } from "./list-params.ts"

/** The frame of a list page: it fills the window, and only its rows scroll. */
export function ListPage({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <Stack className="grow" gap={0} pos="relative" ref={ref}>
      {children}
    </Stack>
  )
}

/** Notes above the rows: an error, the age of an old response. */
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

/** The footer of a list, always in view: "1–25 of 214" (null before anything was read), how old, and what is at its end. */
export function ListFoot(props: { count: ReactNode; asOf: ReactNode; children?: ReactNode }) {
  return (
    <footer className={classes.footer}>
      {props.count !== null && <span>{props.count}</span>}
      {props.asOf}
      {props.children !== undefined && <div className={classes.end}>{props.children}</div>}
    </footer>
  )
}

/** The footer of a paged list: which rows, how old, how many a page, which page. */
export function PagingFoot(props: {
  page: number
  perPage: PageSize
  rows: number | undefined
  total: number | undefined
  count?: ReactNode
  asOf: ReactNode
  onPage: (page: number) => void
  onPerPage: (perPage: PageSize) => void
}) {
  const { page, perPage, rows, total } = props
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const hasNext = pages === undefined ? (rows ?? 0) >= perPage : page < pages
  return (
    <ListFoot
      count={props.count ?? (rows === undefined ? null : <Range {...{ page, perPage, rows, total }} />)}
      asOf={props.asOf}
    >
      <Group component="label" gap="sm" wrap="nowrap" visibleFrom="sm">
        Rows
        <NativeSelect
          size="xs"
          w={64}
          data={pageSizes.map(String)}
          value={String(perPage)}
          rightSection={<SelectChevron />}
          onChange={(event) => {
            const chosen = pageSizes.find((size) => String(size) === event.currentTarget.value)
            if (chosen !== undefined) props.onPerPage(chosen)
          }}
        />
      </Group>
      <Group component="nav" aria-label="Pages" gap="xs" wrap="nowrap">
        <IconButton
          label="Previous page"
          icon={<IconChevronLeft size={16} stroke={1.75} />}
          disabled={page <= 1}
          onClick={() => props.onPage(pages === undefined ? page - 1 : Math.min(page - 1, pages))}
        />
        <Box component="span" visibleFrom="sm">
          Page {formatCount(page)}
          {pages !== undefined && ` of ${formatCount(pages)}`}
        </Box>
        <IconButton
          label="Next page"
          icon={<IconChevronRight size={16} stroke={1.75} />}
          disabled={!hasNext}
          onClick={() => props.onPage(page + 1)}
        />
      </Group>
    </ListFoot>
  )
}

function Range({
  page,
  perPage,
  rows,
  total,
}: Record<"page" | "perPage" | "rows", number> & { total?: number | undefined }) {
  const first = (page - 1) * perPage + 1
  const last = first + rows - 1
  const many = rows < perPage ? undefined : `${formatCount(last)}+`
  const of = total === undefined ? many : formatCount(total)
  return (
    <>
      <b>{rows === 0 ? "0" : `${formatCount(first)}–${formatCount(last)}`}</b>
      {of !== undefined && ` of ${of}`}
    </>
  )
}

/**
 * The row above a list: search and filters, a button that takes every filter away while one is in use, and at the
 * right end what changes how the list is shown.
 */
export function FilterRow(props: {
  children?: ReactNode
  onClear?: (() => void) | undefined
  end?: ReactNode
}) {
  return (
    <div className={classes.filters}>
      {props.children}
      {props.onClear !== undefined && (
        <Button variant="subtle" onClick={props.onClear}>
          Clear
        </Button>
      )}
      <Group gap="sm" className={classes.filtersEnd}>
        {props.end}
      </Group>
    </div>
  )
}
