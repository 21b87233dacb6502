import { Group, Stack } from "@mantine/core"
import { Outlet } from "@tanstack/react-router"
import type { ComponentProps, ReactNode } from "react"
import { ApiError } from "../lib/errors.ts"
import { capital } from "../lib/format.ts"
import { PageHeader } from "./page-header.tsx"
import { EmptyState, QueryNotices, queryView, SkeletonRows, type QueryResult } from "./query-state.tsx"
import classes from "./record-page.module.css"
import { LinkButton } from "./button.tsx"

type Empty = ComponentProps<typeof EmptyState>

interface Parent {
  readonly label: string
  readonly to: string
}

/** Content for an unknown id; `heading`, `title` and `actions` replace the defaults. */
type Missing = Pick<Empty, "icon" | "help"> & Partial<Empty> & { id: string; heading?: string }

/** The page of one record: header, figures, facts at the left, content at the right; drawers open above it. */
export function RecordPage<T>(props: {
  query: QueryResult<{ readonly data: T; readonly at: number; readonly stale: boolean }>
  /** Reads past every cache; otherwise the query is refetched. */
  onRefresh?: () => void
  /** Type of the record: "order". Capitalised, it is the `h1` while loading. */
  noun: string
  parent: Parent
  missing: Missing
  renderHeader: (record: T) => ReactNode
  renderFigures?: (record: T) => ReactNode
  renderNotes?: (record: T) => ReactNode
  renderFacts: (record: T) => ReactNode
  /** Each part of the content scrolls separately if the window has room: for tabs with lists. */
  fills?: boolean
  children: (record: T) => ReactNode
}) {
  const { query, noun, parent, fills = false } = props
  const { data: response, error } = query
  // Deleted, perhaps while open: the cached record is no longer valid.
  if (isMissing(error)) return <MissingRecord {...{ noun, parent }} missing={props.missing} />
  const notices = (
    <QueryNotices noun={noun} subject={`The ${noun}’s record`} view={queryView(query, props.onRefresh)} />
  )
  if (response === undefined) {
    return (
      <>
        <PageHeader title={capital(noun)} path={[parent]} />
        <Stack gap="sm" px="gutter" py={12} className="hide-empty">
          {notices}
        </Stack>
        {error === null && <SkeletonRows rows={6} columns={[40, 240]} />}
        <Outlet />
      </>
    )
  }
  const record = response.data
  return (
    <div className={classes.page} data-fills={fills || undefined}>
      {props.renderHeader(record)}
      <Stack gap="sm" px="gutter" py={12} className="hide-empty">
        {props.renderNotes?.(record)}
        {notices}
      </Stack>
      {props.renderFigures?.(record)}
      <div className={`line-above ${classes.split}`}>
        <aside className={classes.facts} aria-label="Facts">
          {props.renderFacts(record)}
        </aside>
        <div className={classes.work}>{props.children(record)}</div>
      </div>
      <Outlet />
    </div>
  )
}

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

/** Replaces a record's page. */
export function MissingRecord(props: { noun: string; parent: Parent; missing: Missing }) {
  const { noun, parent, missing } = props
  const { heading = `${capital(noun)} not found`, id, ...rest } = missing
  const back = <LinkButton to={parent.to}>Back to {parent.label.toLowerCase()}</LinkButton>
  return (
    <>
      <PageHeader title={heading} path={[parent]} />
      <EmptyState title={`No ${noun} has the id ${id}`} actions={back} {...rest} />
    </>
  )
}

/** One group of a record's facts. */
export function RecordFacts(props: {
  title?: string
  end?: ReactNode
  minor?: boolean
  children: ReactNode
}) {
  const { title, end, minor = false, children } = props
  return (
    <section className={classes.group} data-minor={minor || undefined}>
      {title !== undefined && (
        <Group component="h2" align="baseline" justify="space-between" mb="sm" className="small-heading">
          {title}
          {end}
        </Group>
      )}
      {children}
    </section>
  )
}
