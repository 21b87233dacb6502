import { Button } from "@mantine/core"
import { limits } from "../../../../contract/limits.ts"
import { KeptMoving, requestsFor } from "../../../api/paging.ts"
import { cost } from "../../../lib/format.ts"
import { ArrivalNote, ListNotes } from "../../../lists/list-page.tsx"
import { StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import type { MemberList } from "./use-member-list.ts"

/** What has to be said above the rows. They stay where they were. */
export function MembersNotes({ list }: { list: MemberList }) {
  const { page, loading, whole } = list
  return (
    <ListNotes>
      <ArrivalNote />
      {whole === null && page.error !== null && (
        <ErrorNotice
          error={page.error}
          what={
            page.data === undefined
              ? "Couldn’t load the members."
              : "Couldn’t refresh the list. Showing the last loaded version."
          }
          onRetry={() => void page.refetch()}
        />
      )}
      {whole === null && page.error === null && page.data?.stale === true && (
        <StaleNotice at={page.data.at} refreshing={page.isFetching} onRefresh={list.refresh} />
      )}
      {list.outdated && loading.progress === null && (
        <Notice
          tone="info"
          title="Members have changed since these were loaded"
          action={
            <Button size="xs" onClick={loading.start}>
              Load again, {cost(requestsFor(list.rows.length, limits.perPage.max))}
            </Button>
          }
        />
      )}
      {loading.error !== null && <LoadAllError list={list} />}
      {list.wanted && loading.progress === null && loading.error === null && !list.complete && (
        <Notice
          tone="info"
          title="This view needs all matches loaded"
          action={
            <Button size="xs" onClick={() => list.set({ all: false, sort: undefined })}>
              Show pages
            </Button>
          }
        >
          They have to be loaded first; until then this is one page in the service’s own order.
        </Notice>
      )}
    </ListNotes>
  )
}

function LoadAllError({ list: { loading } }: { list: MemberList }) {
  const { error } = loading
  if (!(error instanceof KeptMoving)) {
    return <ErrorNotice error={error} what="Couldn’t load every member." onRetry={loading.start} />
  }
  return (
    <Notice
      tone="warning"
      title="The list kept changing"
      action={
        <Button size="xs" onClick={loading.start}>
          Try again
        </Button>
      }
    >
      Members were added or removed each time the list was loaded, so it isn’t shown as complete. Filter it,
      or try again when less is going on.
    </Notice>
  )
}
