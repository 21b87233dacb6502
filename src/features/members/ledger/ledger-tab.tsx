import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { TransactionListQuery } from "../../../../contract/program/points.ts"
import { memberQuery } from "../../../api/members.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { fullName } from "../../../lib/names.ts"
import { transactionsQuery } from "../../../api/points.ts"
import { PagingFoot } from "../../../lists/list-page.tsx"
import { AsOf, SkeletonRows, StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { LedgerEmpty } from "./ledger-empty.tsx"
import { LedgerFilters } from "./ledger-filters.tsx"
import { ledgerQueryOf } from "./ledger-query.ts"
import type { LedgerSearch } from "../search.ts"
import { LedgerTable } from "./ledger-table.tsx"
import classes from "./ledger-tab.module.css"
import { RunningBalance } from "./running-balance.tsx"

const ExportLedger = lazy(async () => ({
  default: (await import("../export/export-ledger.tsx")).ExportLedger,
}))

const route = getRouteApi("/_desk/members_/$memberId")

/** What happened to a member's points: the running balance, the filters, the rows. */
export function LedgerTab({ memberId }: { memberId: string }) {
  const search = route.useSearch()
  const timeZone = useSession().program.time_zone
  const query = ledgerQueryOf(search, timeZone)
  const queryClient = useQueryClient()
  const { data: answer, error, isFetching, isPlaceholderData } = useQuery(transactionsQuery(memberId, query))
  const mayExport = useCan("exports.people")
  const { data: member } = useQuery({ ...memberQuery(memberId), enabled: false })
  const name = member === undefined ? memberId : fullName(member.data)
  const navigate = useNavigate({ from: "/members/$memberId" })
  const go = (changed: Partial<Pick<LedgerSearch, "page" | "per_page">>) =>
    void navigate({ to: ".", search: (now) => ({ ...now, ...changed }), resetScroll: false })
  const readAgain = () => {
    void queryClient
      .fetchQuery({ ...transactionsQuery(memberId, query, { fresh: true }), staleTime: 0 })
      .catch(() => {
        // The query keeps the error, and it is shown above the rows.
      })
  }
  return (
    <>
      <div className={classes.body} data-scroll-restoration-id="ledger">
        <RunningBalance memberId={memberId} perPage={search.per_page} />
        <LedgerFilters search={search} timeZone={timeZone} />
        {answer?.stale === true && (
          <div className={classes.note}>
            <StaleNotice at={answer.at} refreshing={isFetching} onRefresh={readAgain} />
          </div>
        )}
        {error !== null && (
          <div className={classes.note}>
            <ErrorNotice
              error={error}
              what={
                answer === undefined
                  ? "Couldn’t load the ledger."
                  : "Couldn’t refresh the ledger. Showing the last loaded version."
              }
              onRetry={readAgain}
            />
          </div>
        )}
        {answer === undefined && error === null && (
          <SkeletonRows rows={8} columns={[96, 72, 200, 88, 56, 64]} />
        )}
        {answer !== undefined && answer.data.length > 0 && (
          <LedgerTable rows={answer.data} waiting={isPlaceholderData} />
        )}
        {answer?.data.length === 0 && <LedgerEmpty search={search} total={answer.meta?.total} />}
      </div>
      {search.open === "export" && mayExport && (
        <Suspense>
          <ExportLedger
            memberId={memberId}
            name={name}
            filter={filterOf(query)}
            total={answer?.meta?.total}
            onClose={() =>
              void navigate({ to: ".", search: (now) => ({ ...now, open: undefined }), resetScroll: false })
            }
          />
        </Suspense>
      )}
      {answer !== undefined && (
        <div className={classes.foot}>
          <PagingFoot
            page={search.page}
            perPage={search.per_page}
            rows={answer.data.length}
            total={answer.meta?.total}
            asOf={<AsOf at={answer.at} refreshing={isFetching} onRefresh={readAgain} />}
            onPage={(page) => go({ page })}
            onPerPage={(perPage) => go({ per_page: perPage, page: 1 })}
          />
        </div>
      )}
    </>
  )
}

/** What narrows the ledger, without the page. */
function filterOf({ page: _page, per_page: _perPage, ...filter }: TransactionListQuery) {
  return filter
}
