import { Box, Group, Stack } from "@mantine/core"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useMemo } from "react"
import type { Member } from "../../../contract/program/member.ts"
import { tierCountsQuery, useNamedPlaces } from "../../api/members.ts"
import type { ApiResponse } from "../../api/request.ts"
import { formatCount } from "../../lib/format.ts"
import { readRanking } from "../../api/leaderboards.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { focusHeading } from "../../ui/hooks.ts"
import { Section } from "../../ui/page-header.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { Status } from "../../ui/status.tsx"
import { Avatar, MemberName } from "../../ui/values.tsx"
import type { Home } from "./home-data.ts"
import classes from "./home.module.css"

/** Number of members by status and by tier. */
export function MemberCounts({ members, pending, inactive }: Pick<Home, "members" | "pending" | "inactive">) {
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
        {(overview) =>
          overview.meta?.total === 0 ? (
            <p className="text-secondary">There are no members yet.</p>
          ) : (
            <>
              <CountBars
                label="Members by status"
                by="status"
                shares={statusShares(overview, pending.data?.meta?.total, inactive.data?.meta?.total)}
              />
              <Loaded query={inactive} what="Couldn’t count inactive members." placeholder={null}>
                {() => null}
              </Loaded>
              <MemberTiers everybody={overview} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/**
 * Members by tier. If the members do not fit on one page, the tiers are those of that page, with a note; exact counts
 * cost a request per tier, so they are loaded on request.
 */
function MemberTiers({ everybody }: { everybody: ApiResponse<Member[]> }) {
  const tiers = tierShares(everybody, undefined).shares.map(({ value }) => value)
  const counted = useQuery(tierCountsQuery(tiers.toSorted()))
  const { shares, others, of } = tierShares(everybody, counted.data)
  if (shares.length === 0) return null
  return (
    <Stack gap={8} pt={8} className="line-above">
      {of !== "all" && (
        <Group component="p" className="caption" gap="2px 8px">
          Tiers of the newest {formatCount(of)}.
          {counted.isFetching ? (
            <output>Counting…</output>
          ) : (
            <span>
              <button
                type="button"
                className="l-link"
                onClick={() => {
                  focusHeading()
                  void counted.refetch()
                }}
              >
                Count all
              </button>
            </span>
          )}
        </Group>
      )}
      <CountBars
        label={of === "all" ? "Members by tier" : `Tiers of the newest ${of} members`}
        by="tier"
        shares={others === 0 ? shares : [...shares, { value: "", count: others }]}
      />
      {!counted.isFetching && (
        <ErrorNotice error={counted.error} what="Couldn’t count the tiers." onRetry={counted.refetch} />
      )}
    </Stack>
  )
}

/** A bar for each status or tier, linked to its members; the value "" means all others. */
function CountBars(props: { label: string; by: "status" | "tier"; shares: readonly Share[] }) {
  const { label, by, shares } = props
  const largest = Math.max(1, ...shares.map(({ count }) => count ?? 0))
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
              {count !== null && count > 0 && (
                <Box h={8} bdrs={4} w={`max(${(count / largest) * 100}%, 2px)`} className="fill" />
              )}
            </span>
            <Box component="span" ta="end" className="l-num">
              {count === null ? <span className="visually-hidden">not known</span> : formatCount(count)}
            </Box>
          </>
        )
        return (
          <li key={value}>
            {value === "" ? (
              <span className={classes.countLine}>{inside}</span>
            ) : (
              <Link to="/members" search={{ [by]: value }} className={`hover-fill ${classes.countLine}`}>
                {inside}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** `count` is null when unknown. */
type Share = Readonly<{ value: string; count: number | null }>

/**
 * Members by status. Two are requested; the third is the remainder, which is valid only while no other status occurs:
 * the document lists these three (docs/api/program.md, Member).
 */
export function statusShares(
  everybody: ApiResponse<Member[]>,
  pending: number | undefined,
  inactive: number | undefined,
): readonly Share[] {
  const total = everybody.meta?.total
  const known = new Set(["active", "inactive", "pending"])
  const others = everybody.data.some(({ status }) => status && !known.has(status.toLowerCase()))
  const rest =
    others || total === undefined || pending === undefined || inactive === undefined
      ? null
      : Math.max(0, total - pending - inactive)
  return [
    { value: "active", count: rest },
    { value: "inactive", count: inactive ?? null },
    { value: "pending", count: pending ?? null },
  ]
}

/**
 * Members by tier, largest first. The service does not list tiers: they are those of the loaded page, which in a
 * small program has all members; otherwise its shares are labelled as that page's until each was `counted`.
 */
export function tierShares(
  { data, meta }: ApiResponse<Member[]>,
  counted: ReadonlyMap<string, number> | undefined,
) {
  const total = meta?.total
  const everybody = total !== undefined && data.length >= total
  const exact = !everybody && counted !== undefined && total !== undefined
  const byTier = Map.groupBy(data, ({ tier }) => tier || "")
  const tiers = exact ? [...counted] : [...byTier].map(([tier, members]) => [tier, members.length] as const)
  const named = tiers.filter(([tier]) => tier !== "")
  const of: "all" | number = everybody || exact ? "all" : data.length
  const sum = named.reduce((all, [, count]) => all + count, 0)
  return {
    shares: named
      .map(([value, count]) => ({ value, count }))
      .toSorted((one, other) => other.count - one.count),
    others: Math.max(0, (of === "all" ? (total ?? 0) : of) - sum),
    of,
  }
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
