import { Box, Group, Stack } from "@mantine/core"
import { IconTrophy } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import { leaderboardMappingsQuery, leaderboardsQuery, rankingsQuery } from "../../api/leaderboards.ts"
import { useNamedPlaces } from "../../api/members.ts"
import { useCan } from "../../api/session.ts"
import { capital } from "../../lib/format.ts"
import { boardsOf } from "../../lib/ranking/boards.ts"
import { gapText, type Ranking, readRanking, scoreText, type Standing } from "../../lib/ranking/ranking.ts"
import { fieldPath, valueText } from "../../lib/ranking/row-values.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { Avatar, MemberName } from "../../ui/values.tsx"
import classes from "./leaderboards.module.css"
import { Moved, type Movement, type getMovement } from "./movement.tsx"

const noRows: readonly Standing[] = []

/** One board's rankings, as far as they can be read; a local `draft` mapping overrides the saved one. */
export function useRanking(boardId: string, limit: number, draft: RankingRoles | null = null) {
  const client = useQueryClient()
  const query = useQuery(rankingsQuery(boardId, limit))
  const mappings = useQuery(leaderboardMappingsQuery)
  const boards = useQuery(leaderboardsQuery())
  const saved = mappings.data?.boards.find(({ id }) => id === boardId)?.roles
  const roles = draft ?? saved
  const response = query.data
  const read = useMemo(
    () => (response === undefined ? undefined : readRanking(response.data, roles)),
    [response, roles],
  )
  const rows = useNamedPlaces(read?.standings.rows ?? noRows)
  const ranking = useMemo(() => read && { ...read, standings: { ...read.standings, rows } }, [read, rows])
  const board = boardsOf(boards.data?.data)?.find(({ id }) => id === boardId)
  return {
    query,
    ranking,
    saved,
    /** The board's name, or its id when unknown. */
    name: board?.name ?? boardId,
    refresh: () =>
      void client.prefetchQuery({ ...rankingsQuery(boardId, limit, { fresh: true }), staleTime: 0 }),
  }
}

/** A ranking in the best form its response allows, with extra (`further`) fields. */
export function RankingView(props: {
  ranking: Ranking
  name: string
  further?: readonly string[]
  /** Undefined while loading. */
  movement?: ReturnType<typeof getMovement> | undefined
}) {
  const { ranking, name, further = [], movement } = props
  const { view, standings, fields, rows, sent } = ranking
  const linked = useCan("members.read")
  if (view === "json") return <SentJson label={`${name} as sent`} sent={sent} />
  if (view === "empty") {
    return (
      <EmptyState
        icon={IconTrophy}
        title="No rankings yet"
        help="The service sent an empty list. Rankings appear here when there are some."
      />
    )
  }
  const table = { wide: true, label: name, keyOf: ({ at }: { at: number }) => at }
  const order = [orderText(ranking), movement?.note].filter(Boolean).join(" ")
  return (
    <section
      className={"scroll grow focus-inside"}
      data-scroll-restoration-id={`list-${name}`}
      aria-label={`${name}, ${view === "standings" ? "places" : "every field"}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      {view === "standings" ? (
        <>
          {order && (
            <Box component="p" px="gutter" pb={12} className="caption">
              {order}
            </Box>
          )}
          <div className={classes.standings} style={{ minWidth: further.length * 120 }}>
            <DataTable
              {...table}
              columns={standingColumns(ranking, further, linked, movement)}
              rows={standings.rows}
            />
          </div>
        </>
      ) : (
        <div className={classes.fieldsTable}>
          <DataTable
            {...table}
            columns={fieldColumns(fields)}
            rows={rows.map((row, at) => ({ fields: row, at }))}
          />
        </div>
      )}
    </section>
  )
}

/** How the places are determined, if not obvious; otherwise empty. */
function orderText({ standings: { ranks, leader }, roles }: Ranking): string {
  const parts = [
    ranks === "none" && "no ranks were sent, so rows are numbered in order",
    ranks === "none" && roles.score !== null && "equal scores share a place",
    ranks === "some" && "rows without a rank are last",
    leader === "lowest" && "the lowest score leads",
  ]
  const text = parts.filter(Boolean).join(", ")
  return text && `${capital(text)}.`
}

/** Columns of the places with a bar as chart: in the row, on a phone below the name. */
function standingColumns(
  { standings, roles }: Ranking,
  further: readonly string[],
  linked: boolean,
  movement: ReturnType<typeof getMovement> | undefined,
): DataColumn<Standing>[] {
  const scored = roles.score !== null
  const columns: (DataColumn<Standing> | false)[] = [
    {
      label: "Rank",
      width: 64,
      cell: (row) => (
        <span className={row.leads ? "l-strong l-num" : "l-strong l-num text-secondary"}>
          {row.rank ?? <span className="visually-hidden">No rank</span>}
          {row.tied && (
            <Box fw={400} className="caption">
              tied
            </Box>
          )}
          <Box component="span" fw={400} className={`caption ${classes.onPhone}`}>
            <Moved move={movement?.day.of(row)} />
          </Box>
        </span>
      ),
    },
    {
      label: "Name",
      rowHeader: true,
      cell: (row) => (
        <Group gap="sm" wrap="nowrap">
          <Avatar name={row.name ?? row.memberId ?? ""} accent={row.leads} />
          <Stack component="span" gap={0} lh="18px" className="grow">
            <MemberName name={row.name} memberId={row.memberId} linked={linked} />
            {row.note !== null && (
              <bdi className="caption truncate" title={row.note}>
                {row.note}
              </bdi>
            )}
            <span className={classes.onPhone}>
              <Bar row={row} />
            </span>
          </Stack>
        </Group>
      ),
    },
    scored && {
      label: "Score",
      end: true,
      width: 104,
      cell: (row) => (
        <Box component="span" style={{ whiteSpace: "normal" }} className="l-strong wrap-anywhere">
          {scoreText(row.score, row.sentScore)}
          <Box component="span" fw={400} className={`caption ${classes.onPhone}`} aria-hidden>
            {rowGap(row)}
          </Box>
        </Box>
      ),
    },
    ...further.map((field) => ({
      id: `field ${field}`,
      label: fieldPath(field).at(-1) ?? field,
      width: 120,
      cell: ({ fields }: Standing) => (
        <bdi className="text-secondary truncate" title={valueText(fields.get(field))}>
          {valueText(fields.get(field))}
        </bdi>
      ),
    })),
    movedColumn("day", "Since yesterday", "phone", movement?.day),
    movedColumn("week", "Since last week", "tablet", movement?.week),
    scored && {
      label: standings.leader === "lowest" ? "% of highest" : "% of leader",
      hideBelow: "phone",
      cell: (row) => (
        <>
          <Bar row={row} />
          {row.share !== null && (
            <span className="visually-hidden">{`${Math.round(row.share * 100)} %`}</span>
          )}
        </>
      ),
    },
    scored && {
      label: "Gap to next",
      end: true,
      width: 104,
      hideBelow: "phone",
      cell: (row) => <span className={row.leads ? "text-muted" : "text-secondary"}>{rowGap(row)}</span>,
    },
  ]
  return columns.filter((column) => column !== false)
}

/** Always present, so that the layout does not shift when the movement is loaded. */
function movedColumn(
  id: string,
  usual: string,
  hideBelow: "phone" | "tablet",
  since: Movement | undefined,
): DataColumn<Standing> {
  const cell = (row: Standing) => <Moved move={since?.of(row)} />
  return { id, label: since?.label ?? usual, end: true, width: 112, hideBelow, cell }
}

function rowGap({ leads, gap }: Standing): string {
  if (leads) return "Leads"
  return gap === null ? "" : gapText(gap)
}

function Bar({ row: { share, leads } }: { row: Standing }) {
  if (share === null) return null
  return (
    <span
      className={classes.bar}
      data-leads={leads || undefined}
      style={{ width: `${share * 100}%` }}
      aria-hidden
    />
  )
}

/** Maximum number of columns; the export has all of them. */
const mostColumns = 40

/** Columns of an unrecognised response: every field by its own name, as sent. */
function fieldColumns(fields: readonly string[]): DataColumn<Pick<Standing, "fields" | "at">>[] {
  return [
    { label: "Row", rowHeader: true, cell: ({ at }) => <span className="l-num text-muted">{at + 1}</span> },
    ...fields.slice(0, mostColumns).map((field) => ({
      id: `field ${field}`,
      label: field,
      cell: (row: Pick<Standing, "fields">) => <bdi>{valueText(row.fields.get(field))}</bdi>,
    })),
  ]
}

/** Maximum length of the JSON shown, in characters: longer texts slow the page down. */
const longestJson = 200_000

/** A response as sent, when it could not be read; `inset`: with a border. */
export function SentJson({ label, sent, inset = false }: { label: string; sent: unknown; inset?: boolean }) {
  const text = JSON.stringify(sent, null, 2) ?? "Nothing was sent."
  return (
    <section
      className={`scroll grow line-above ${classes.json}`}
      data-inset={inset || undefined}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <pre>
        {text.length > longestJson
          ? `${text.slice(0, longestJson)}\n… ${text.length - longestJson} more characters`
          : text}
      </pre>
    </section>
  )
}
