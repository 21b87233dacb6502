import { Box, Group, Stack } from "@mantine/core"
import { IconTrophy } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import {
  formatScore,
  leaderboardMappingsQuery,
  leaderboardsQuery,
  type Place,
  type Ranking,
  rankingsQuery,
  readBoards,
  readRanking,
} from "../../api/leaderboards.ts"
import { useNamedPlaces } from "../../api/members.ts"
import { useCan } from "../../api/session.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { Avatar, MemberName } from "../../ui/values.tsx"
import classes from "./leaderboards.module.css"
import { Moved, type useMovement } from "./movement.tsx"

const noPlaces: readonly Place[] = []

/** One board's ranking, read with the saved columns or a local `draft` of them. */
export function useRanking(boardId: string, limit: number, draft: RankingRoles | null = null) {
  const client = useQueryClient()
  const query = useQuery(rankingsQuery(boardId, limit))
  const mappings = useQuery(leaderboardMappingsQuery)
  const boards = useQuery(leaderboardsQuery())
  const saved = mappings.data?.boards.find(({ id }) => id === boardId)?.roles
  const chosen = draft ?? saved
  const response = query.data
  const read = useMemo(() => response && readRanking(response.data, chosen), [response, chosen])
  const places = useNamedPlaces(read?.places ?? noPlaces)
  const ranking = useMemo(() => read && { ...read, places }, [read, places])
  // The id when the name is unknown.
  const name = readBoards(boards.data?.data)?.find(({ id }) => id === boardId)?.name ?? boardId
  const refresh = () =>
    void client.prefetchQuery({ ...rankingsQuery(boardId, limit, { fresh: true }), staleTime: 0 })
  return { query, ranking, saved, name, refresh }
}

type Movements = ReturnType<typeof useMovement>

/** The places of a ranking with movement, a bar as chart and gaps. */
export function PlacesTable(props: { name: string; ranking: Ranking; movement: Movements }) {
  const { name, ranking, movement } = props
  const linked = useCan("members.read")
  const order = !ranking.hasRanks && "No ranks were sent: rows are numbered, equal scores share a place."
  return (
    <section
      className="scroll grow focus-inside"
      data-scroll-restoration-id={`list-${name}`}
      aria-label={`${name}, places`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <Box component="p" px="gutter" pb={12} className="caption hide-empty">
        {[order, movement?.note].filter(Boolean).join(" ")}
      </Box>
      <div className={classes.places}>
        <DataTable
          wide
          label={name}
          columns={placeColumns(ranking.hasScores, linked, movement)}
          rows={ranking.places}
          keyOf={({ index }) => index}
        />
      </div>
    </section>
  )
}

function placeColumns(hasScores: boolean, linked: boolean, movement: Movements): DataColumn<Place>[] {
  const rank: DataColumn<Place> = {
    label: "Rank",
    width: 64,
    cell: (place) => (
      <span className={place.leads ? "l-strong l-num" : "l-strong l-num text-secondary"}>
        {place.rank ?? <span className="visually-hidden">No rank</span>}
        {place.tied && <small className="caption">tied</small>}
        <small className={`caption ${classes.onPhone}`}>
          <Moved move={movement?.day.of(place)} />
        </small>
      </span>
    ),
  }
  const name: DataColumn<Place> = {
    label: "Name",
    rowHeader: true,
    cell: (place) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar name={place.name ?? place.memberId ?? ""} accent={place.leads} />
        <Stack component="span" gap={0} lh="18px" className="grow">
          <MemberName name={place.name} memberId={place.memberId} linked={linked} />
          <bdi className="caption truncate hide-empty">{place.note}</bdi>
        </Stack>
      </Group>
    ),
  }
  // Always present, so that the layout does not shift when the movement is loaded.
  const moved = (since: "day" | "week", label: string, hideBelow: "phone" | "tablet"): DataColumn<Place> => ({
    id: since,
    label: movement?.[since].label ?? label,
    end: true,
    width: 112,
    hideBelow,
    cell: (place) => <Moved move={movement?.[since].of(place)} />,
  })
  const movements = [moved("day", "Since yesterday", "phone"), moved("week", "Since last week", "tablet")]
  if (!hasScores) return [rank, name, ...movements]
  return [
    rank,
    name,
    {
      label: "Score",
      end: true,
      width: 104,
      cell: ({ scoreText }) => <span className="l-strong wrap-anywhere">{scoreText}</span>,
    },
    ...movements,
    {
      label: "% of highest",
      hideBelow: "phone",
      cell: ({ share, leads }) =>
        share !== null && (
          <>
            <span
              className="fill"
              data-leads={leads || undefined}
              style={{ display: "block", width: `${share * 100}%`, height: 12, borderRadius: 3 }}
            />
            <span className="visually-hidden">{Math.round(share * 100)} %</span>
          </>
        ),
    },
    {
      label: "Gap to next",
      end: true,
      width: 104,
      hideBelow: "phone",
      cell: (place) => (
        <span className={place.leads ? "text-muted" : "text-secondary"}>{gapText(place)}</span>
      ),
    },
  ]
}

function gapText({ leads, gap }: Place): string {
  if (leads) return "Leads"
  if (gap === null) return ""
  if (gap === 0) return "Level"
  return gap > 0 ? `+${formatScore(gap)}` : formatScore(gap)
}

/** A ranking without places: empty, or a response as sent. */
export function NoPlaces({ ranking: { view, sent }, name }: { ranking: Ranking; name: string }) {
  const help = "The service sent an empty list. Rankings appear here when there are some."
  if (view === "empty") return <EmptyState icon={IconTrophy} title="No rankings yet" help={help} />
  return <SentJson label={`${name} as sent`} sent={sent} />
}

/** Maximum length of the JSON shown, in characters: longer texts slow the page down. */
const longestJson = 200_000

function SentJson({ label, sent }: { label: string; sent: unknown }) {
  return (
    <Box
      component="section"
      px="gutter"
      py={16}
      className="scroll grow line-above"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <Box
        component="pre"
        m={0}
        lh="18px"
        className="l-mono text-secondary wrap-anywhere"
        style={{ whiteSpace: "pre-wrap" }}
      >
        {JSON.stringify(sent, null, 2).slice(0, longestJson)}
      </Box>
    </Box>
  )
}
