import { Box, Stack } from "@mantine/core"
import { IconStack2 } from "@tabler/icons-react"
import { useQueryClient, type QueryKey } from "@tanstack/react-query"
import { useCallback, useSyncExternalStore } from "react"
import { limits } from "../../../../contract/limits.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { type EveryRow, ListChangedError, requestsFor } from "../../../api/paging.ts"
import { formatCount, timeNeeded, timeSentence, withTime } from "../../../lib/format.ts"
import type { ListQuery, LoadAll } from "../../../lists/list-state.ts"
import type { EveryMatch } from "../../../lists/selection.tsx"
import { ErrorNotice, Notice } from "../../../ui/notice.tsx"
import { Meter } from "../../../ui/meter.tsx"
import { Popover } from "../../../ui/popover.tsx"
import { Button } from "../../../ui/button.tsx"

/**
 * Whether a cache entry was invalidated (by an edit here or an event) and not refetched since. For queries that never
 * refetch automatically.
 */
export function useOutdated(key: QueryKey): boolean {
  const client = useQueryClient()
  const subscribe = useCallback(
    (onChange: () => void) => client.getQueryCache().subscribe(onChange),
    [client],
  )
  return useSyncExternalStore(subscribe, () => client.getQueryState(key)?.isInvalidated ?? false)
}

/** All members in place of one page of them. */
export function completeSource({ rows, at }: EveryRow<Member>, { progress, start }: LoadAll) {
  return {
    rows,
    at,
    total: rows.length,
    complete: true,
    stale: false,
    error: null,
    pending: false,
    waiting: false,
    fetching: progress !== null,
    refresh: start,
  } satisfies Partial<ListQuery<Member>>
}

/** Maximum number of requests for one list. */
const mostRequests = 200
/** From this number of requests on, other users are mentioned. */
const noteworthy = 10

/** Offers to load all `total` matches with the duration, shows the progress, or says why it is not possible. */
export function LoadAllOffer({ total, loading }: { total: number; loading: LoadAll }) {
  const requests = requestsFor(total, limits.perPage.max)
  if (loading.progress !== null) {
    return <Meter label="Loading all matches…" progress={loading.progress} onCancel={loading.cancel} />
  }
  if (requests > mostRequests) {
    return (
      <span className="caption">
        {formatCount(total)} are too many to load at once. Search or filter to load and sort them.
      </span>
    )
  }
  const time = timeNeeded(requests)
  const look = {
    variant: "subtle",
    leftSection: <IconStack2 size={16} stroke={1.75} aria-hidden />,
    children: (
      <>
        Load all {formatCount(total)}
        {time !== "" && (
          <Box component="span" ms={6} fw={400} visibleFrom="sm" className="text-muted l-num">
            ({time})
          </Box>
        )}
      </>
    ),
  } as const
  if (requests < noteworthy) return <Button {...look} onClick={loading.start} />
  return (
    <Popover label="Load all" align="end" button={<Button {...look} />}>
      {(close) => (
        <Stack gap={12} w={280}>
          <p>{timeSentence(time)}Others in your team may wait a moment longer. You can cancel at any time.</p>
          <Button
            onClick={() => {
              close()
              loading.start()
            }}
          >
            Load all {formatCount(total)}
          </Button>
        </Stack>
      )}
    </Popover>
  )
}

/** Selects every match after loading the missing ones, with the same limit on requests. */
export function selectEvery(
  total: number | undefined,
  { progress, startThen }: LoadAll,
): EveryMatch | undefined {
  const requests = requestsFor(total ?? 0, limits.perPage.max)
  if (total === undefined || progress !== null || requests > mostRequests) return undefined
  return { total, time: timeNeeded(requests), load: startThen }
}

/** Notes about the complete list: loading failed, it is outdated, or it must be loaded first (`missing`). */
export function LoadAllNotes(props: {
  loading: LoadAll
  /** Number of members that were changed after they were loaded. */
  outdated: number | undefined
  missing: boolean
  onPages: () => void
}) {
  const { progress, error, start } = props.loading
  if (progress !== null) return null
  if (error instanceof ListChangedError) {
    return (
      <Notice
        tone="warning"
        title="The list kept changing"
        action={
          <Button size="xs" onClick={start}>
            Try again
          </Button>
        }
      >
        Members were added or removed each time the list was loaded, so it isn’t shown as complete. Filter it,
        or try again when less is going on.
      </Notice>
    )
  }
  if (error !== null) return <ErrorNotice error={error} what="Couldn’t load every member." onRetry={start} />
  if (props.outdated !== undefined) {
    const again = withTime("Load again", timeNeeded(requestsFor(props.outdated, limits.perPage.max)))
    return (
      <Notice
        tone="info"
        title="Members have changed since these were loaded"
        action={
          <Button size="xs" onClick={start}>
            {again}
          </Button>
        }
      />
    )
  }
  return (
    props.missing && (
      <Notice
        tone="info"
        title="This view needs all matches loaded"
        action={
          <Button size="xs" onClick={props.onPages}>
            Show pages
          </Button>
        }
      >
        They have to be loaded first; until then this is one page in the service’s own order.
      </Notice>
    )
  )
}
