import { Group, Stack, TextInput, SegmentedControl } from "@mantine/core"
import { IconDeviceTv, IconDownload, IconTrophy } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import type { CsvCell } from "../../lib/csv.ts"
import { counted } from "../../lib/format.ts"
import { type Ranking, roleFields } from "../../lib/ranking/ranking.ts"
import { valueText } from "../../lib/ranking/row-values.ts"
import { csvBlob, saveFile } from "../../lib/save-file.ts"
import { useColumnLayout } from "../../lists/list-columns.ts"
import { listQuery, useLocalListState } from "../../lists/list-state.ts"
import { Notice } from "../../ui/notice.tsx"
import { isMissing, MissingRecord } from "../../ui/record-page.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { RequirePagePermission, RequirePermission } from "../../lists/require-permission.tsx"
import { ResourceList } from "../../lists/resource-list.tsx"
import classes from "./leaderboards.module.css"
import { MappingPanel } from "./mapping-panel.tsx"
import { useMovement } from "./movement.tsx"
import { RankingView, useRanking } from "./ranking-view.tsx"
import { placesLimit } from "./board-search.ts"
import { Button, LinkButton } from "../../ui/button.tsx"

const BoardChart = lazy(async () => ({ default: (await import("./board-chart.tsx")).BoardChart }))

const route = getRouteApi("/_app/leaderboards_/$boardId")
const parent = { label: "Leaderboards", to: "/leaderboards" }
const path = [parent]
const noColumns: readonly never[] = []
const missing = { icon: IconTrophy, help: "It may have been deleted, or the link may be wrong." }

/** One leaderboard's rankings and their field mapping. */
export function BoardPage() {
  const { boardId } = route.useParams()
  return (
    <RequirePagePermission permission="leaderboards.read" title="Leaderboards" noun="leaderboards">
      <BoardRankings key={boardId} boardId={boardId} />
    </RequirePagePermission>
  )
}

function BoardRankings({ boardId }: { boardId: string }) {
  const { limit, view } = route.useSearch()
  const navigate = route.useNavigate()
  const [draft, setDraft] = useState<RankingRoles | null>(null)
  const [{ shown: further }, layOut] = useColumnLayout(`leaderboard-${boardId}`)
  const { query, ranking, saved, name, refresh } = useRanking(boardId, limit, draft)
  const movement = useMovement(boardId, limit, ranking)
  const state = useLocalListState()
  const rows = ranking?.rows ?? []
  if (isMissing(query.error))
    return <MissingRecord noun="leaderboard" parent={parent} missing={{ ...missing, id: boardId }} />
  return (
    <ResourceList
      title={name}
      path={path}
      noun="rankings"
      query={listQuery(query, state, { rows, refresh })}
      columns={noColumns}
      actions={<BoardActions boardId={boardId} name={name} limit={limit} ranking={ranking} />}
      notes={ranking && <RankingNotes ranking={ranking} />}
      renderRows={() => (
        <div className={classes.body}>
          <Stack gap={0} className="grow">
            {query.isPending && <SkeletonRows rows={10} />}
            {ranking?.view === "standings" && (
              <Group px="gutter" pb={12}>
                <SegmentedControl
                  aria-label="View"
                  value={view}
                  data={[...views]}
                  onChange={(to) => void navigate({ search: (now) => ({ ...now, view: to }) })}
                />
              </Group>
            )}
            {query.data && ranking?.view === "standings" && view === "history" ? (
              <section className="scroll grow" data-scroll-restoration-id="board-chart">
                <Suspense fallback={<SkeletonRows rows={6} />}>
                  <BoardChart {...{ boardId, name, limit, ranking }} at={query.data.at} />
                </Suspense>
              </section>
            ) : (
              ranking && (
                <RankingView
                  movement={movement}
                  ranking={ranking}
                  name={name}
                  further={ranking.fields.filter((field) => further[field] === true)}
                />
              )
            )}
          </Stack>
          {ranking && rows.length > 0 && (
            <MappingPanel
              boardId={boardId}
              ranking={ranking}
              saved={saved}
              draft={draft}
              onDraft={setDraft}
              further={further}
              onFurther={(shown) => layOut({ shown })}
            />
          )}
        </div>
      )}
      footer={{
        count: rows.length > 0 && counted(rows.length, ranking?.view === "standings" ? "place" : "row"),
      }}
    />
  )
}

const views = [
  { value: "places", label: "Now" },
  { value: "history", label: "Over time" },
] as const

const viewNotes: Partial<Record<Ranking["view"], readonly [title: string, text: string]>> = {
  table: [
    "Couldn’t detect the ranking: choose the name and score fields",
    "Every field is shown as sent. Choose at least a name and a score, or a rank.",
  ],
  json: ["These rankings have no fields", "The response is shown as sent."],
}

function RankingNotes({ ranking: { view, gone } }: { ranking: Ranking }) {
  const [title, text] = viewNotes[view] ?? []
  return (
    <>
      {title !== undefined && (
        <Notice tone="info" title={title}>
          {text}
        </Notice>
      )}
      {gone.length > 0 && (
        <Notice tone="warning" title="Some chosen fields are missing">
          {`${gone.join(", ")}: detected fields are used instead until someone chooses again.`}
        </Notice>
      )}
    </>
  )
}

function BoardActions(props: { boardId: string; name: string; limit: number; ranking: Ranking | undefined }) {
  const { boardId, name, limit, ranking } = props
  const navigate = route.useNavigate()
  const show = (places: number) => void navigate({ search: (now) => ({ ...now, limit: places }) })
  return (
    <Group gap="sm" maw="calc(100vw - 2 * var(--l-gutter))">
      <SegmentedControl
        aria-label="Places"
        value={String(limit)}
        data={["10", "25", "50", "100"].map((value) => ({ value, label: value }))}
        onChange={(value) => show(Number(value))}
      />
      <OtherLimit key={limit} limit={limit} onShow={show} />
      <RequirePermission permission="exports.people">
        <Button
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          disabled={ranking === undefined || ranking.fields.length === 0}
          onClick={() => ranking && void saveRanking(name, ranking)}
        >
          Export
        </Button>
      </RequirePermission>
      <LinkButton
        leftSection={<IconDeviceTv size={16} stroke={1.75} aria-hidden />}
        to="/leaderboards/$boardId/wall"
        params={{ boardId }}
        search={{ limit }}
      >
        Wall display
      </LinkButton>
    </Group>
  )
}

function OtherLimit({ limit, onShow }: { limit: number; onShow: (places: number) => void }) {
  const [typed, setTyped] = useState(String(limit))
  const { min, max } = placesLimit
  const places = Number(typed)
  const fits = /^\d{1,3}$/.test(typed.trim()) && places >= min && places <= max
  const show = () => {
    if (fits && places !== limit) onShow(places)
  }
  return (
    <TextInput
      aria-label={`Number of places, ${min} to ${max}`}
      w={64}
      value={typed}
      error={fits ? undefined : `${min} to ${max}`}
      inputMode="numeric"
      autoComplete="off"
      maxLength={3}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={({ key, nativeEvent }) => key === "Enter" && !nativeEvent.isComposing && show()}
      onBlur={show}
    />
  )
}

/** Downloads a ranking: recognised columns first, then every field as sent. Scores keep their digits. */
async function saveRanking(name: string, { view, standings, rows, fields, roles }: Ranking): Promise<void> {
  const { csvStyle, toCsv } = await import("../../lib/csv.ts")
  const fileName = `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim() || "Leaderboard"}.csv`
  const taken = roleFields(roles)
  const rest = fields.filter((field) => !taken.has(field))
  const csv =
    view === "standings"
      ? toCsv({
          style: csvStyle(),
          columns: ["Rank", "Name", "Below the name", "Member id", "Score", "Gap to next", ...rest],
          rows: standings.rows.map((row) => [
            row.rank,
            row.name,
            row.note,
            row.memberId,
            row.score ?? row.sentScore,
            row.gap,
            ...rest.map((field) => csvCell(row.fields.get(field))),
          ]),
        })
      : toCsv({
          style: csvStyle(),
          columns: fields,
          rows: rows.map((row) => fields.map((field) => csvCell(row.get(field)))),
        })
  saveFile(fileName, csvBlob(csv))
}

function csvCell(value: unknown): CsvCell {
  return typeof value === "number" || typeof value === "boolean" ? value : valueText(value)
}
