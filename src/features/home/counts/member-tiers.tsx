import { UnstyledButton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Member } from "../../../../contract/program/member.ts"
import { tierCountsQuery } from "../../../api/members.ts"
import type { Answer } from "../../../api/request.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { CountBars, type CountLine } from "./count-bars.tsx"
import { tierShares } from "./member-shares.ts"
import classes from "./member-counts.module.css"

/**
 * Members by tier. Of a program that does not fit on one page they are the tiers of that page, and it says so; counting
 * them costs a request for each tier, so somebody asks for it.
 */
export function MemberTiers({ everybody }: { everybody: Answer<Member[]> }) {
  const tiers = tierShares(everybody, undefined).shares.map(({ value }) => value)
  const counted = useQuery(tierCountsQuery(tiers.toSorted()))
  const { shares, others, of } = tierShares(everybody, counted.data)
  if (shares.length === 0) return null
  const lines: CountLine[] = shares.map(({ value, count }) => ({
    id: value,
    name: value,
    count,
    link: { to: "/members", search: { tier: value } },
  }))
  return (
    <div className={classes.tiers}>
      {of !== "all" && (
        <p className={classes.note}>
          Based on the first {formatCount(of)} members.
          {counted.isFetching ? (
            <output>Counting…</output>
          ) : (
            <span>
              <UnstyledButton className="l-link" onClick={() => void counted.refetch()}>
                Count all members
              </UnstyledButton>{" "}
              ({cost(tiers.length)})
            </span>
          )}
        </p>
      )}
      <CountBars
        label={of === "all" ? "Members by tier" : `Tiers of the first ${of} members`}
        lines={others === 0 ? lines : [...lines, { id: "", name: "Other or none", count: others }]}
      />
      {counted.error !== null && !counted.isFetching && (
        <ErrorNotice
          error={counted.error}
          what="Couldn’t count the tiers."
          onRetry={() => void counted.refetch()}
        />
      )}
    </div>
  )
}
