import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { formatCount } from "../../../lib/format.ts"
import { Section } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import type { Home } from "../use-home.ts"
import { CountBars } from "./count-bars.tsx"
import { statusShares } from "./member-shares.ts"
import { MemberTiers } from "./member-tiers.tsx"
import classes from "./member-counts.module.css"

type MemberCountsProps = Pick<Home, "members" | "pending" | "inactive">

/** How many members there are, by status and by tier. */
export function MemberCounts({ members, pending, inactive }: MemberCountsProps) {
  const total = members.data?.meta?.total
  return (
    <Section
      title="Members"
      end={total !== undefined && <b className={classes.total}>{formatCount(total)}</b>}
    >
      {members.data === undefined && (members.isFetching || members.error === null) && (
        <SkeletonRows rows={7} columns={[92, 120, 48]} />
      )}
      {members.data === undefined && members.error !== null && !members.isFetching && (
        <ErrorNotice
          error={members.error}
          what="Couldn’t count the members."
          onRetry={() => void members.refetch()}
        />
      )}
      {members.data?.meta?.total === 0 && <p className="text-secondary">There are no members yet.</p>}
      {members.data !== undefined && members.data.meta?.total !== 0 && (
        <>
          <CountBars
            label="Members by status"
            lines={statusShares(members.data, pending.data?.meta?.total, inactive.data?.meta?.total).map(
              ({ value, count }) => ({
                id: value,
                name: <Status of="member" value={value} />,
                count,
                link: { to: "/members", search: { status: statusOf(value) } },
              }),
            )}
          />
          {inactive.data === undefined && inactive.error !== null && !inactive.isFetching && (
            <ErrorNotice
              error={inactive.error}
              what="Couldn’t count inactive members."
              onRetry={() => void inactive.refetch()}
            />
          )}
          <MemberTiers everybody={members.data} />
        </>
      )}
    </Section>
  )
}

function statusOf(value: string) {
  return value === "active" || value === "inactive" || value === "pending" ? value : undefined
}
