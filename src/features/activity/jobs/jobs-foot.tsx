import { Button } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import type { JobPart } from "../../../api/jobs.ts"
import { formatCount } from "../../../lib/format.ts"
import { ListFoot } from "../../../lists/list-page.tsx"
import { AsOf } from "../../../ui/query-state.tsx"
import { mostParts } from "./jobs-search.ts"

interface JobsFootProps {
  list: UseQueryResult<JobPart>
  parts: number
  onOlder: () => void
}

/** How many jobs are shown, how old that is, and older ones. */
export function JobsFoot({ list, parts, onOlder }: JobsFootProps) {
  const { data } = list
  return (
    <ListFoot
      count={
        data === undefined ? null : (
          <>
            <b>{formatCount(data.jobs.length)}</b> {data.more ? "newest" : "total"}
          </>
        )
      }
      asOf={<AsOf at={data?.at} refreshing={list.isFetching} onRefresh={() => void list.refetch()} />}
    >
      {data?.more === true &&
        (parts < mostParts ? (
          <Button size="xs" loading={list.isPlaceholderData} onClick={onOlder}>
            Load older
          </Button>
        ) : (
          <span className="text-muted">Choose an earlier period to see older jobs</span>
        ))}
    </ListFoot>
  )
}
