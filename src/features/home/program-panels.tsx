import { Box, Group, Stack } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useMemo } from "react"
import type { MemberFacets } from "../../../contract/members.ts"
import { copyMetaOf, useNamedPlaces } from "../../api/members.ts"
import { formatCount } from "../../lib/format.ts"
import { readRanking } from "../../api/leaderboards.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { Status } from "../../ui/status.tsx"
import { Avatar, MemberName } from "../../ui/values.tsx"
import type { Home } from "./home-data.ts"
import classes from "./home.module.css"

/** The total number of members; by status and tier once all are in the local copy. */
export function MemberCounts({ members, facets }: Pick<Home, "members" | "facets">) {
  const total = members.data?.meta?.total
  return (
    <Section
      title="Members"
      end={
        total !== undefined && (
          <Box component="b" fz="var(--l-fs-ui)" c="var(--l-text)">
            {formatCount(total)}
          </Box>
        )
      }
    >
      <Loaded
        query={members}
        what="Couldn’t count the members."
        placeholder={<SkeletonRows rows={7} columns={[92, 120, 48]} />}
      >
        {(first) =>
          first.meta?.total === 0 ? (
            <p className="text-secondary">There are no members yet.</p>
          ) : (
            <Loaded query={facets} what="Couldn’t count the members by status." placeholder={null}>
              {({ data, meta }) =>
                copyMetaOf(meta)?.complete === true ? (
                  <>
                    <CountBars label="Members by status" by="status" shares={data.statuses} />
                    {data.tiers.length > 0 && (
                      <Stack gap={8} pt={8} className="line-above">
                        <CountBars label="Members by tier" by="tier" shares={tierShares(data)} />
                      </Stack>
                    )}
                  </>
                ) : (
                  <p className="text-secondary">
                    Counts by status and tier are shown once all members are synced.
                  </p>
                )
              }
            </Loaded>
          )
        }
      </Loaded>
    </Section>
  )
}

/** A bar for each status or tier, linked to its members; the value "" means all others. */
function CountBars(props: { label: string; by: "status" | "tier"; shares: readonly Share[] }) {
  const { label, by, shares } = props
  const largest = Math.max(1, ...shares.map(({ count }) => count))
  return (
    <ul aria-label={label}>
      {shares.map(({ value, count }) => {
        const inside = (
          <>
            <span className="truncate">
              {by === "status" ? <Status of="member" value={value} /> : value || "Other or none"}
            </span>
            <span aria-hidden>
              {/* One of thousands is still visible. */}
              {count > 0 && (
                <Box h={8} bdrs={4} w={`max(${(count / largest) * 100}%, 2px)`} className="fill" />
              )}
            </span>
            <Box component="span" ta="end" className="l-num">
              {formatCount(count)}
            </Box>
          </>
        )
        return (
          <li key={value}>
            {value === "" ? (
              <span className={classes.countLine}>{inside}</span>
            ) : (
              <Link
                to="/members"
                search={{ [by]: by === "status" ? value.toLowerCase() : value }}
                className={`hover-fill ${classes.countLine}`}
              >
                {inside}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

type Share = MemberFacets["tiers"][number]

/** Members by tier; the last share are all others. */
export function tierShares({ total, tiers }: Pick<MemberFacets, "total" | "tiers">): readonly Share[] {
  const others = total - tiers.reduce((sum, { count }) => sum + count, 0)
  return others > 0 ? [...tiers, { value: "", count: others }] : tiers
}

const placesShown = 7

/** The leading places of a leaderboard. */
export function LeaderboardTop({ boards: { list, board, rankings, reading } }: Pick<Home, "boards">) {
  const placeholder = <SkeletonRows rows={placesShown} columns={[160, 64]} />
  if (board === undefined) {
    return (
      <Section title="Leaderboards">
        <Loaded query={list} what="Couldn’t load the leaderboards." placeholder={placeholder}>
          {() => (reading ? placeholder : <p className="text-secondary">No leaderboards yet.</p>)}
        </Loaded>
      </Section>
    )
  }
  const all = (
    <Link to="/leaderboards" className="l-link">
      All
    </Link>
  )
  return (
    <Section title={board.name} end={all}>
      <Loaded query={rankings} what="Couldn’t load the ranking." placeholder={placeholder}>
        {({ data }) => <Places board={board} sent={data} />}
      </Loaded>
    </Section>
  )
}

function Places({ board, sent }: { board: NonNullable<Home["boards"]["board"]>; sent: unknown }) {
  const { view, places } = useMemo(() => readRanking(sent, board.roles), [sent, board.roles])
  const rows = useNamedPlaces(useMemo(() => places.slice(0, placesShown), [places]))
  if (view !== "places") {
    return (
      <p className="text-secondary">
        {view === "empty" ? "No rankings yet. " : "The columns couldn’t be found. "}
        <Link to="/leaderboards/$boardId" params={{ boardId: board.id }} className="l-link">
          Open the leaderboard
        </Link>
      </p>
    )
  }
  return (
    <ol>
      {rows.map((row) => (
        <Group component="li" key={row.index} gap={10} wrap="nowrap" className={classes.place}>
          <Box component="span" miw={16} className="text-muted l-num">
            {row.rank}
          </Box>
          <Avatar name={row.name ?? row.memberId ?? ""} accent={row.leads} />
          <MemberName name={row.name} memberId={row.memberId} linked />
          <span className="l-strong l-num">{row.scoreText}</span>
        </Group>
      ))}
    </ol>
  )
}

/** A panel of the home page: the data, also during a refetch; otherwise a placeholder or the error. */
export function Loaded<T>(props: {
  query: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">
  what: string
  placeholder: ReactNode
  children: (data: T) => ReactNode
}) {
  const { query, what, placeholder, children } = props
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return placeholder
  return <ErrorNotice error={error} what={what} onRetry={refetch} />
}
