import { Box, Group, Stack } from "@mantine/core"
import { type Icon, IconRefresh } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { isUpdating, type StaleReason } from "../../contract/response.ts"
import { useRequestBudget } from "../lib/request-budget.ts"
import { ago, duration, secondsUntil, timeOfDay } from "../lib/time.ts"
import { useLate, useNow } from "./hooks.ts"
import { ErrorNotice, Notice } from "./notice.tsx"
import { Button, IconButton } from "./button.tsx"

interface SkeletonRowsProps {
  rows?: number
  columns?: readonly number[]
}

const usualColumns = [160, 200, 120, 64]

/** Skeleton rows, shown after 150 ms, so that fast responses do not flash. `columns` are widths in px. */
export function SkeletonRows({ rows = 8, columns = usualColumns }: SkeletonRowsProps) {
  const shown = useLate(true)
  return (
    <output style={{ display: "block", visibility: shown ? "visible" : "hidden" }}>
      <span className="visually-hidden">Loading…</span>
      {barWidths(rows, columns).map((bars) => (
        <Group
          key={bars.join()}
          component="span"
          justify="space-between"
          wrap="nowrap"
          gap="lg"
          h="var(--l-density-row)"
          px="gutter"
          className="line-below"
          aria-hidden
        >
          {bars.map((width) => (
            <span key={width} className="skeleton" style={{ width }} />
          ))}
        </Group>
      ))}
    </output>
  )
}

/** Rows vary a little, like text; all widths differ, so they can be keys. */
function barWidths(rows: number, columns: readonly number[]): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    columns.map((width, column) => width - ((row * 37 + column * 13) % 40) + (row * 8 + column) / 1000),
  )
}

/** Replaces an empty list. */
export function EmptyState(props: { icon: Icon; title: string; help?: ReactNode; actions?: ReactNode }) {
  const { icon: Icon, title, help, actions } = props
  return (
    <Stack align="center" gap={0} px="lg" py={48} ta="center">
      <Icon size={28} stroke={1.5} aria-hidden className="text-muted" />
      <Box component="p" mt="sm" className="l-strong wrap-anywhere">
        {title}
      </Box>
      {help !== undefined && (
        <Box component="p" mt="xs" maw={480} className="text-secondary" style={{ textWrap: "balance" }}>
          {help}
        </Box>
      )}
      {actions !== undefined && (
        <Group justify="center" gap="sm" mt={14}>
          {actions}
        </Group>
      )}
    </Stack>
  )
}

/**
 * The age of the data, and a refresh button. While requests of this window wait for the request limit: when the next
 * one is sent.
 */
export function AsOf(props: {
  at: number | undefined
  refreshing: boolean
  /** A newer response is on its way (`isUpdating`); no refresh is needed. */
  updating?: boolean
  /** What happened at that time. */
  verb?: "Updated" | "Synced"
  syncing?: boolean
  onRefresh: () => void
}) {
  const { at, updating = false, verb = "Updated", syncing = false, onRefresh } = props
  const late = useLate(props.refreshing && !updating)
  const refreshing = at === undefined ? props.refreshing : late
  const now = useNow("second")
  const next = useRequestBudget((state) => state.nextRequestAt)
  return (
    <Group component="span" className="caption nowrap" display="inline-flex" gap={2} wrap="nowrap">
      <span className="l-num">
        {refreshing
          ? next === null
            ? "Loading…"
            : `Busy, ${secondsUntil(next, now)} s`
          : at === undefined
            ? "Not loaded yet"
            : updating && now - at >= noticeAge
              ? `As of ${timeOfDay(at)}, updating`
              : `${verb} ${ago(at, Math.max(now, at))}${syncing ? ", syncing" : ""}`}
      </span>
      <IconButton
        label="Refresh"
        icon={<IconRefresh size={14} stroke={2} className={refreshing ? "turning" : undefined} />}
        onClick={onRefresh}
        disabled={refreshing}
        size="sm"
      />
    </Group>
  )
}

/** A response younger than this counts as current, in ms. */
const noticeAge = 60_000

const failures: Partial<Record<StaleReason, string>> = {
  upstream_unreachable: "The service couldn’t be reached just now.",
  unreadable_answer: "The service sent something unreadable just now.",
  refused_by_service: "The service had a fault just now.",
  store_unavailable: "Laurel’s database didn’t respond just now.",
}

function StaleNotice(props: { what: string; at: number; view: QueryView }) {
  const { what, at, view } = props
  const now = useNow("second")
  if (now - at < noticeAge) return null
  return (
    <Notice
      tone="info"
      title={`${what} is ${roughly(now - at)} old`}
      action={
        <Button size="xs" onClick={view.refresh} loading={view.fetching}>
          Refresh
        </Button>
      }
    >
      {(view.staleReason && failures[view.staleReason]) ?? "It couldn’t be refreshed just now."}
    </Notice>
  )
}

/** Duration of a first read after which the page explains the delay, in ms. */
const slowAfter = 10_000

/** Explains why the first read takes long; no refresh is needed. */
function SlowRead() {
  const shown = useLate(true, slowAfter)
  const waiting = useRequestBudget((state) => state.nextRequestAt) !== null
  const limited = useRequestBudget((state) => state.isLimited) || waiting
  if (!shown) return null
  return (
    <Notice tone="info" title={limited ? "Waiting for the service" : "Still loading"}>
      {limited ? "It’s busy right now." : "The service is taking longer than usual."} This loads by itself.
    </Notice>
  )
}

function roughly(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 1) return "a minute"
  return minutes > 1 && minutes < 60
    ? `${minutes} minutes`
    : duration(Math.max(1000, Math.floor(ms / 1000) * 1000))
}

/** The state of a query for display. */
export interface QueryView {
  readonly at: number | undefined
  /** The response is older than it should be, and why. */
  readonly stale: boolean
  readonly staleReason?: StaleReason | undefined
  readonly error: unknown
  readonly fetching: boolean
  readonly refresh: () => void
  readonly retry: () => void
}

/** A query's result in TanStack Query's terms. */
export interface QueryResult<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => Promise<unknown>
}

/** A response's age; only known for Laurel's own data when it was read. */
export interface StaleResponse {
  readonly at: number
  readonly stale?: boolean
  readonly staleReason?: StaleReason | undefined
}

/** The state of a query; `refresh` reads past every cache, otherwise the query is refetched. */
export function queryView(
  { data, error, isFetching, refetch }: QueryResult<StaleResponse>,
  refresh?: () => void,
): QueryView {
  const retry = () => void refetch()
  const { at, stale = false, staleReason } = data ?? {}
  return { at, stale, staleReason, error, fetching: isFetching, retry, refresh: refresh ?? retry }
}

/** Whether a read failed, or how old the data are. Earlier data stay on the page. */
export function QueryNotices(props: {
  view: QueryView
  noun: string
  /** Subject if `noun` is a plural: "The list is 4 minutes old". */
  subject?: string
}) {
  const { view, noun, subject = `The ${noun}` } = props
  const { error, at } = view
  if (error !== null && error !== undefined) {
    return (
      <ErrorNotice
        error={error}
        what={
          at === undefined
            ? `Couldn’t load the ${noun}.`
            : `Couldn’t refresh the ${noun}. Showing the last loaded version.`
        }
        onRetry={view.retry}
      />
    )
  }
  if (at === undefined) return view.fetching ? <SlowRead /> : null
  if (!view.stale || isUpdating(view)) return null
  return <StaleNotice what={subject} at={at} view={view} />
}

interface QueryStateProps<T> extends SkeletonRowsProps {
  query: Pick<QueryResult<T>, "data" | "error" | "refetch">
  noun: string
  /** Replaces "Couldn’t load the noun.". */
  what?: string
  /** Content above the skeleton. */
  lead?: ReactNode
  children: (data: T) => ReactNode
}

/** A part of a page with a query: a skeleton while loading, an error with a retry button, then the data. */
export function QueryState<T>({ query, noun, what, lead, children, ...bars }: QueryStateProps<T>) {
  const { data, error, refetch } = query
  return (
    <>
      <ErrorNotice
        error={error}
        what={what ?? `Couldn’t ${data === undefined ? "load" : "refresh"} the ${noun}.`}
        onRetry={refetch}
      />
      {data !== undefined && children(data)}
      {data === undefined && error === null && (
        <>
          {lead}
          <SlowRead />
          <SkeletonRows {...bars} />
        </>
      )}
    </>
  )
}
