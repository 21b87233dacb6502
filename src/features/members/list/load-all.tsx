import { Button } from "@mantine/core"
import { IconStack2 } from "@tabler/icons-react"
import { useQueryClient, type QueryKey } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { limits } from "../../../../contract/limits.ts"
import { readEveryMember, type MemberFilter } from "../../../api/members.ts"
import { KeptMoving, requestsFor, type PageProgress } from "../../../api/paging.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { Popover } from "../../../ui/popover.tsx"
import classes from "./members-list.module.css"

/** Where the loading of every match stands. */
export interface LoadAll {
  /** Null while nothing is loaded. */
  readonly progress: PageProgress | null
  /** What went wrong last time. */
  readonly error: unknown
  readonly start: () => void
  readonly cancel: () => void
}

const idle = { question: "", progress: null, error: null }

/**
 * Loads every member a filter matches when somebody asks for it. Another filter, or leaving the page, ends it: it
 * spends the team's budget.
 * @param onLoaded they are in the query cache
 */
export function useLoadAll(filter: MemberFilter, onLoaded: () => void): LoadAll {
  const client = useQueryClient()
  const question = JSON.stringify(filter)
  const running = useRef<AbortController>(undefined)
  const belongs = useRef(question)
  const [state, setState] = useState<{ question: string; progress: PageProgress | null; error: unknown }>(
    idle,
  )
  const current = state.question === question ? state : idle

  useEffect(() => {
    // A reading belongs to the filter it was begun for.
    if (belongs.current !== question) running.current?.abort()
  }, [question])
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    belongs.current = question
    const { signal } = controller
    const tell = (progress: PageProgress | null, error: unknown = null) => {
      if (!signal.aborted) setState({ question, progress, error })
    }
    tell({ done: 0, of: null, restarts: 0 })
    try {
      await readEveryMember(client, filter, { signal, onProgress: tell })
      tell(null)
      if (!signal.aborted) onLoaded()
    } catch (error) {
      tell(null, error)
    }
  }
  return {
    progress: current.progress,
    error: current.error,
    start: () => void start(),
    cancel: () => {
      running.current?.abort()
      setState(idle)
    },
  }
}

/**
 * Whether what the cache holds under a key was called out of date (an edit here, an event from elsewhere) and has
 * not been read since. For answers that are never read again by themselves.
 */
export function useOutdated(key: QueryKey): boolean {
  const client = useQueryClient()
  const subscribe = useCallback((tell: () => void) => client.getQueryCache().subscribe(tell), [client])
  return useSyncExternalStore(subscribe, () => client.getQueryState(key)?.isInvalidated ?? false)
}

interface LoadAllOfferProps {
  /** Members that match. */
  total: number
  loading: LoadAll
}

/** More requests than this are never spent on one list. */
const mostRequests = 200
/** From here on it is worth a word about the others at the desk. */
const noteworthy = 10

/** Offers to load every match with what it costs, shows how far it is, or says why it does not. */
export function LoadAllOffer({ total, loading }: LoadAllOfferProps) {
  const requests = requestsFor(total, limits.perPage.max)
  if (loading.progress !== null) return <LoadAllProgress loading={loading} />
  if (requests > mostRequests) {
    return (
      <span className="l-meta text-muted">
        {formatCount(total)} are too many to load at once. Search or filter to load and sort them.
      </span>
    )
  }
  const inside = (
    <>
      Load all {formatCount(total)}
      <span className={classes.cost}>{cost(requests)}</span>
    </>
  )
  const icon = <IconStack2 size={16} stroke={1.75} aria-hidden />
  if (requests < noteworthy) {
    return (
      <Button variant="subtle" leftSection={icon} onClick={loading.start}>
        {inside}
      </Button>
    )
  }
  return (
    <Popover
      label="Load all"
      align="end"
      renderButton={(button) => (
        <Button variant="subtle" leftSection={icon} {...button}>
          {inside}
        </Button>
      )}
    >
      {(close) => (
        <div className={classes.ask}>
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
        </div>
      )}
    </Popover>
  )
}

function LoadAllProgress({ loading }: { loading: LoadAll }) {
  const { done = 0, of = null, restarts = 0 } = loading.progress ?? {}
  return (
    <span className={classes.loadAllProgress}>
      <progress aria-label="Loading all matches…" {...(of === null ? {} : { value: done, max: of })} />
      <output className="l-num text-secondary">
        {of === null ? "Loading…" : `${formatCount(done)} of ${formatCount(of)} requests`}
        {restarts > 0 && ", restarted because the list changed"}
      </output>
      <Button variant="subtle" onClick={loading.cancel}>
        Cancel
      </Button>
    </span>
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
