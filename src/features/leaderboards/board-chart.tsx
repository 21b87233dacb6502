import { Group, Stack, SegmentedControl } from "@mantine/core"
import { IconChartLine } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts"
import { boardHistoryQuery } from "../../api/leaderboards.ts"
import { shortPoints } from "../../lib/format.ts"
import { type Ranking, scoreText, type Standing } from "../../lib/ranking/ranking.ts"
import { shortDay, timeOfDay } from "../../lib/time.ts"
import {
  seriesName,
  ChartFigure,
  chartProps,
  chartTip,
  gridProps,
  seriesColour,
  timeAxis,
  yAxisProps,
} from "../../ui/chart.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import { type PastBoard, pastBoards, usualDays, identityFor } from "./movement.tsx"

const periods = [
  { value: "7", label: "7 d" },
  { value: String(usualDays), label: "30 d" },
  { value: "90", label: "90 d" },
  { value: "365", label: "12 months" },
]
const measures = [
  { value: "rank", label: "Place" },
  { value: "score", label: "Score" },
] as const
type Measure = (typeof measures)[number]["value"]

const hourMs = 3_600_000
const mostLines = 10

/** A time, and the ranks of the current leaders at that time: `p0` is the first one. */
export type LinePoint = Readonly<Record<string, number | null>> & { readonly at: number }

/** The lines of the current leaders, oldest time first; null where one was not among the places read. */
export function boardLines(boards: readonly PastBoard[], leaders: readonly Standing[], measure: Measure) {
  return boards.map(({ at, rows }): LinePoint => {
    const who = identityFor(rows)
    const found = leaders.map((leader) => rows.filter((row) => who(row) !== null && who(row) === who(leader)))
    // Two leaders with equal identification cannot be told apart.
    const values = found.map(([row, other]) => (other === undefined ? (row?.[measure] ?? null) : null))
    return { ...Object.fromEntries(values.map((value, place) => [seriesName(place), value])), at }
  })
}

/** Ranks of the top ten over time, from earlier boards and the current one, read `at` (ms). */
export function BoardChart(props: {
  boardId: string
  name: string
  limit: number
  ranking: Ranking
  at: number
}) {
  const { boardId, name, limit, ranking, at } = props
  const [days, setDays] = useState(String(usualDays))
  const [chosen, setMeasure] = useState<Measure>("rank")
  const measure = ranking.roles.score === null ? "rank" : chosen
  const query = useQuery(boardHistoryQuery(boardId, Number(days), limit))
  const now: PastBoard = { at, complete: true, rows: ranking.standings.rows }
  const past = query.data
    ? pastBoards(query.data, ranking.roles).filter((board) => at - board.at >= hourMs)
    : []
  const leaders = now.rows.slice(0, mostLines)
  const points = boardLines([...past, now], leaders, measure)
  const nameOf = (series: string) => labelOf(leaders[Number(series.slice(1))])
  const valueOf = (value: number) => (measure === "rank" ? `#${value}` : scoreText(value, String(value)))
  const lowest = Math.max(
    ...points.flatMap((point) => leaders.map((_, place) => point[seriesName(place)] ?? 1)),
  )
  return (
    <Stack
      component="section"
      gap={12}
      px="gutter"
      pb={16}
      aria-label={`${name}, top ${leaders.length} over time`}
    >
      <Group justify="space-between" gap="8px 16px">
        {ranking.roles.score === null ? (
          <h2 className="small-heading">Places over time</h2>
        ) : (
          <SegmentedControl aria-label="Measure" value={measure} data={[...measures]} onChange={setMeasure} />
        )}
        <SegmentedControl aria-label="Period" value={days} data={periods} onChange={setDays} />
      </Group>
      <ErrorNotice error={query.error} what="Couldn’t load the history." onRetry={query.refetch} />
      {query.isPending && <SkeletonRows rows={6} />}
      {query.data && past.length === 0 && (
        <EmptyState
          icon={IconChartLine}
          title="No history yet"
          help="The board is kept once an hour while someone has it open. Lines appear with the second time."
        />
      )}
      {past.length > 0 && (
        <ChartFigure
          label={`${name} over time`}
          legend={leaders.map(labelOf)}
          rows={points.toReversed()}
          keyOf={(point) => point.at}
          columns={[
            {
              label: "When",
              rowHeader: true,
              cell: (point) => `${shortDay(point.at, at)}, ${timeOfDay(point.at)}`,
            },
            ...leaders.map((leader, place) => ({
              id: seriesName(place),
              label: labelOf(leader),
              end: true,
              cell: (point: LinePoint) => valueText(point[seriesName(place)]),
            })),
          ]}
        >
          <LineChart {...chartProps(360)} data={points.map((point) => ({ ...point }))}>
            <CartesianGrid {...gridProps} />
            <XAxis dataKey="at" {...timeAxis(points[0]?.at ?? at, at, true)} />
            {measure === "rank" ? (
              <YAxis {...yAxisProps} reversed domain={[1, lowest]} ticks={placeTicks(lowest)} />
            ) : (
              <YAxis {...yAxisProps} domain={["auto", "auto"]} tickFormatter={shortPoints} />
            )}
            <Tooltip {...chartTip(nameOf, valueOf)} />
            {leaders.map((_, place) => (
              <Line
                key={seriesName(place)}
                dataKey={seriesName(place)}
                stroke={seriesColour(place)}
                strokeWidth={2}
                // Colour alone does not distinguish ten lines.
                strokeDasharray={place < mostLines / 2 ? "0" : "5 3"}
                dot={{ r: 2, fill: seriesColour(place), strokeDasharray: "0" }}
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        </ChartFigure>
      )}
    </Stack>
  )

  function valueText(value: number | null | undefined): string {
    return value == null ? "–" : valueOf(value)
  }
}

/** The first place and every fifth. */
function placeTicks(lowest: number): number[] {
  return [1, ...Array.from({ length: Math.floor(lowest / 5) }, (_, at) => (at + 1) * 5)]
}

function labelOf(row: Standing | undefined): string {
  return row?.name ?? row?.memberId ?? "No name"
}
