import { IconListSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo, useRef, useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { jobRowsQuery } from "../../../api/jobs.ts"
import { ListTableView } from "../../../lists/list-table.tsx"
import { PagingFoot } from "../../../lists/list-page.tsx"
import { SearchField } from "../../../lists/filters.tsx"
import { useLate, useListLayout, useListTable } from "../../../lists/list-columns.ts"
import { useListKeys } from "../../../lists/list-keys.ts"
import { AsOf, EmptyState } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { rowLabel } from "../jobs/row-words.ts"
import classes from "./job.module.css"
import { rowColumns } from "./row-columns.tsx"
import { rowsQueryOf } from "./rows-query.ts"
import { StateTabs } from "./state-tabs.tsx"
import type { JobSearch } from "./job-search.ts"

const route = getRouteApi("/_desk/jobs_/$jobId")
const none: readonly JobRow[] = []
const idOf = (row: JobRow) => String(row.row)

/** The rows of a job, by state, with what became of each. */
export function JobRows({ job }: { job: Job }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(jobRowsQuery(job.id, rowsQueryOf(search)))
  const rows = list.data?.rows ?? none
  const layout = useListLayout()
  const columns = useMemo(() => rowColumns(job.kind), [job.kind])
  const table = useListTable({ columns, rows, idOf, layout, choice: {} })
  const root = useRef<HTMLElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useListKeys(root, nothing)
  const late = useLate(list.isPending)
  const set = (change: Partial<JobSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })

  return (
    <section ref={root} aria-label="Rows" className={classes.rows}>
      <div className={classes.filters}>
        <StateTabs job={job} chosen={search.state} onChoose={(state) => set({ state, page: 1 })} />
        <div className={classes.find}>
          <SearchField
            label="Find a row"
            value={search.find ?? ""}
            maxLength={limits.shortText}
            onSearch={(find) => set({ find: find === "" ? undefined : find, page: 1 })}
          />
        </div>
      </div>
      {list.error !== null && (
        <div className={classes.notes}>
          <ErrorNotice
            error={list.error}
            what={list.data === undefined ? "Couldn’t load the rows." : "Couldn’t refresh the rows."}
            onRetry={() => void list.refetch()}
          />
        </div>
      )}
      <ListTableView
        table={table}
        label="Rows of the job"
        layout={layout}
        nameOf={rowLabel}
        waiting={late ? "late" : list.isPending || list.isPlaceholderData ? "yes" : "no"}
        scroller={scroller}
        onScroller={setScroller}
        raised={false}
        empty={
          list.data === undefined ? undefined : (
            <EmptyState
              icon={IconListSearch}
              title={search.find === undefined ? "No rows in this state" : `No rows match “${search.find}”`}
              help={
                search.find === undefined
                  ? undefined
                  : "Search by row number, or by member name, e-mail or id."
              }
            />
          )
        }
      />
      <PagingFoot
        page={search.page}
        perPage={search.per_page}
        rows={list.data?.rows.length}
        total={list.data?.total}
        asOf={
          <AsOf
            at={list.dataUpdatedAt === 0 ? undefined : list.dataUpdatedAt}
            // What events have read again is not worth a word each time.
            refreshing={list.isPending}
            onRefresh={() => void list.refetch()}
          />
        }
        onPage={(page) => set({ page })}
        onPerPage={(per_page) => set({ per_page, page: 1 })}
      />
    </section>
  )
}

function nothing() {}
