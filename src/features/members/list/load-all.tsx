import { Box, Button, Stack } from "@mantine/core"
import { IconStack2 } from "@tabler/icons-react"
import { useQueryClient, type QueryKey } from "@tanstack/react-query"
import { useCallback, useSyncExternalStore } from "react"
import { limits } from "../../../../contract/limits.ts"
import { KeptMoving, requestsFor } from "../../../api/paging.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import type { LoadAll } from "../../../lists/list-state.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Meter } from "../../../ui/meter.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { Popover } from "../../../ui/popover.tsx"

/**
 * Whether what the cache holds under a key was called out of date (an edit here, an event from elsewhere) and has
 * not been read since. For responses that are never read again by themselves.
 */
export function useOutdated(key: QueryKey): boolean {
  const client = useQueryClient()
  const subscribe = useCallback((tell: () => void) => client.getQueryCache().subscribe(tell), [client])
  return useSyncExternalStore(subscribe, () => client.getQueryState(key)?.isInvalidated ?? false)
}

/** More requests than this are never spent on one list. */
const mostRequests = 200
/** From here on it is worth a word about the others in the team. */
const noteworthy = 10

/** Offers to load all `total` matches with what it costs, shows how far it is, or says why it does not. */
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
  const look = {
    variant: "subtle",
    leftSection: <IconStack2 size={16} stroke={1.75} aria-hidden />,
    children: (
      <>
        Load all {formatCount(total)}
        <Box component="span" ms={6} fw={400} visibleFrom="sm" className="text-muted l-num">
          {cost(requests)}
        </Box>
      </>
    ),
  } as const
  if (requests < noteworthy) return <Button {...look} onClick={loading.start} />
  return (
    <Popover label="Load all" align="end" renderButton={(button) => <Button {...look} {...button} />}>
      {(close) => (
        <Stack gap={12} w={280}>
          <p>
            {cost(requests)}, shared by the whole team. Others may wait a moment for theirs. You can cancel at
            any time.
          </p>
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

/** Why not every match is shown: the reading failed, or the list changed faster than it could be read. */
export function LoadAllError({ loading: { error, start } }: { loading: LoadAll }) {
  if (error === null) return null
  if (!(error instanceof KeptMoving)) {
    return <ErrorNotice error={error} what="Couldn’t load every member." onRetry={start} />
  }
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
