import { Group, SegmentedControl, Stack } from "@mantine/core"
import { IconChartLine } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts"
import { boardHistoryQuery, formatScore, type Place, type Ranking } from "../../api/leaderboards.ts"
import { lineAxis } from "../../lib/chart-axis.ts"
import { shortPoints } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import * as chart from "../../ui/chart.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import { identityFor, type PastBoard, pastBoards, usualDays } from "./board-view.tsx"

const { ChartFigure, seriesColour, seriesName } = chart

/** Every drawn value of the lines. */
const valuesOf = (points: readonly LinePoint[]) =>
  points.flatMap(({ at: _at, ...values }) => Object.values(values).filter((value) => value !== null))

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

/** The place or score of each of the current leaders at a time (ms): `p0` is the first one, null without a place. */
export type LinePoint = Readonly<Record<string, number | null>> & { readonly at: number }

/** The lines of the current leaders, oldest time first. */
export function boardLines(boards: readonly PastBoard[], leaders: readonly Place[], measure: Measure) {
  return boards.map(({ at, places }): LinePoint => {
    const who = identityFor(places)
    const values = leaders.map((leader, index) => {
      const same = places.filter((place) => who(place) !== null && who(place) === who(leader))
      // Two places of the same name cannot be told apart.
      return [seriesName(index), same.length === 1 ? (same[0]?.[measure] ?? null) : null] as const
    })
    return { ...Object.fromEntries(values), at }
  })
}

/** Places or scores of the top ten over time, from earlier boards and the current one, read `at` (ms). */
export function BoardChart(props: {
  boardId: string
  name: string
  limit: number
  ranking: Ranking
  at: number
}) {
  const { boardId, name, limit, ranking, at } = props
  const [days, setDays] = useState(String(usualDays))
  const [measure, setMeasure] = useState<Measure>(ranking.hasRanks ? "rank" : "score")
  const query = useQuery(boardHistoryQuery(boardId, Number(days), limit))
  const past = query.data
    ? pastBoards(query.data, ranking.roles).filter((board) => at - board.at >= 3_600_000)
    : []
  const leaders = ranking.places.slice(0, 10)
  const points = boardLines([...past, { at, complete: true, places: ranking.places }], leaders, measure)
  const labels = leaders.map((place) => place.name ?? place.memberId ?? "No name")
  const valueText = (value: number) => (measure === "rank" ? `#${value}` : formatScore(value))
  return (
    <Stack component="section" gap={12} px="gutter" pb={16} aria-label={`${name} over time`}>
      <Group justify="space-between" gap="8px 16px">
        <SegmentedControl aria-label="Measure" value={measure} data={[...measures]} onChange={setMeasure} />
        <SegmentedControl aria-label="Period" value={days} data={periods} onChange={setDays} />
      </Group>
      <ErrorNotice error={query.error} what="Couldn’t load the history." onRetry={query.refetch} />
      {query.isPending && <SkeletonRows rows={6} />}
      {query.data && past.length === 0 && (
        <EmptyState
          icon={IconChartLine}
          title="No history yet"
          help="The ranking is stored on each day that someone opens it. Lines appear on the second day."
        />
      )}
      {past.length > 0 && (
        <ChartFigure
          label={`${name} over time`}
          legend={labels}
          rows={points.toReversed()}
          keyOf={(point) => point.at}
          columns={[
            { label: "When", rowHeader: true, cell: (point) => shortDay(point.at, at) },
            ...labels.map((label, index) => ({
              id: seriesName(index),
              label,
              end: true,
              cell: (point: LinePoint) => {
                const value = point[seriesName(index)] ?? null
                return value === null ? "–" : valueText(value)
              },
            })),
          ]}
        >
          <LineChart {...chart.chartProps(360)} data={points}>
            <CartesianGrid {...chart.gridProps} />
            <XAxis dataKey="at" {...chart.timeAxis(points[0]?.at ?? at, at, true)} />
            <YAxis
              {...chart.yAxisProps}
              {...(measure === "rank"
                ? { reversed: true, domain: [1, "dataMax"] as const, allowDecimals: false }
                : { ...lineAxis(valuesOf(points)), tickFormatter: shortPoints })}
            />
            <Tooltip {...chart.chartTip((series) => labels[Number(series.slice(1))] ?? "", valueText)} />
            {leaders.map((place, index) => (
              <Line
                key={place.index}
                dataKey={seriesName(index)}
                stroke={seriesColour(index)}
                strokeWidth={2}
                // Colour alone does not distinguish ten lines.
                strokeDasharray={index < 5 ? "0" : "5 3"}
                dot={{ r: 2, fill: seriesColour(index), strokeDasharray: "0" }}
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        </ChartFigure>
      )}
    </Stack>
  )
}
