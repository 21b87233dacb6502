import { Group, NativeSelect, SegmentedControl, SimpleGrid, Stack } from "@mantine/core"
import { IconDeviceTv, IconDownload, IconTrophy } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import { type Ranking, useSaveMapping, valueText } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import { counted } from "../../lib/format.ts"
import { listQuery, useLocalListState } from "../../lists/list-state.ts"
import { RequirePagePermission, RequirePermission } from "../../lists/require-permission.tsx"
import { ResourceList } from "../../lists/resource-list.tsx"
import { Button, LinkButton } from "../../ui/button.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { isMissing, MissingRecord } from "../../ui/record-page.tsx"
import { NoPlaces, PlacesTable, useMovement, useRanking } from "./board-view.tsx"

const BoardChart = lazy(async () => ({ default: (await import("./board-chart.tsx")).BoardChart }))

const route = getRouteApi("/_app/leaderboards_/$boardId")
const parent = { label: "Leaderboards", to: "/leaderboards" }
const path = [parent]
const noColumns: readonly never[] = []
const missing = { icon: IconTrophy, help: "It may have been deleted, or the link may be wrong." }
const views = [
  { value: "places", label: "Now" },
  { value: "history", label: "Over time" },
] as const

/** One leaderboard. */
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
  const { query, ranking, saved, name, refresh } = useRanking(boardId, limit, draft)
  const movement = useMovement(boardId, limit, ranking)
  const state = useLocalListState()
  const rows = ranking?.rows ?? []
  const isRanking = ranking?.view === "places"
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
      notes={
        ranking &&
        rows.length > 0 && <ColumnsPanel {...{ boardId, ranking, saved, draft }} onDraft={setDraft} />
      }
      renderRows={() => (
        <Stack gap={0} h="100%">
          {query.isPending && <SkeletonRows rows={10} />}
          {ranking && !isRanking && <NoPlaces ranking={ranking} name={name} />}
          {isRanking && (
            <Group px="gutter" pb={12}>
              <SegmentedControl
                aria-label="View"
                value={view}
                data={[...views]}
                onChange={(to) => void navigate({ search: (now) => ({ ...now, view: to }) })}
              />
            </Group>
          )}
          {isRanking && view === "places" && <PlacesTable {...{ name, ranking, movement }} />}
          {query.data && isRanking && view === "history" && (
            <section className="scroll grow" data-scroll-restoration-id="board-chart">
              <Suspense fallback={<SkeletonRows rows={6} />}>
                <BoardChart {...{ boardId, name, limit, ranking }} at={query.data.at} />
              </Suspense>
            </section>
          )}
        </Stack>
      )}
      footer={{ count: rows.length > 0 && counted(rows.length, isRanking ? "place" : "row"), end: null }}
    />
  )
}

function BoardActions(props: { boardId: string; name: string; limit: number; ranking: Ranking | undefined }) {
  const { boardId, name, limit, ranking } = props
  const navigate = route.useNavigate()
  return (
    <Group gap="sm" maw="calc(100vw - 2 * var(--l-gutter))">
      <SegmentedControl
        aria-label="Places"
        value={String(limit)}
        data={["10", "25", "50", "100"]}
        onChange={(value) => void navigate({ search: (now) => ({ ...now, limit: Number(value) }) })}
      />
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

/** Downloads a ranking: every column as sent. */
async function saveRanking(board: string, { rows, fields }: Ranking): Promise<void> {
  const { saveTable } = await import("../../lib/table-file.ts")
  const cells = rows.map((row) =>
    fields.map((field) => {
      const value = row.get(field)
      return typeof value === "number" || typeof value === "boolean" ? value : valueText(value)
    }),
  )
  const name = board.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim() || "Leaderboard"
  await saveTable({ name, columns: fields, rows: cells })
}

/**
 * Which columns are rank, name and score: closed and for administrators while they are known by their names, otherwise
 * open for everyone. A choice applies locally; once saved, for all users.
 */
function ColumnsPanel(props: {
  boardId: string
  ranking: Ranking
  /** The columns saved for all users, and the local draft. */
  saved: RankingRoles | undefined
  draft: RankingRoles | null
  onDraft: (draft: RankingRoles | null) => void
}) {
  const { boardId, saved, draft, onDraft } = props
  const { roles, fields, view } = props.ranking
  const isAdmin = useSession().user.role === "admin"
  const [open, setOpen] = useState(view !== "places")
  const save = useSaveMapping()
  if (!isAdmin && !open) return null
  const select = (label: string, value: string, choose: (field: string | null) => Partial<RankingRoles>) => (
    <NativeSelect
      label={label}
      value={value}
      // The value may be two columns, or one that is not sent any more.
      data={[{ value: "", label: "None" }, ...new Set([value, ...fields].filter((field) => field !== ""))]}
      rightSection={<SelectChevron />}
      classNames={{ input: "l-mono wrap-anywhere" }}
      onChange={({ currentTarget }) => onDraft({ ...roles, ...choose(currentTarget.value || null) })}
    />
  )
  return (
    <details
      aria-label="Set up columns"
      open={open}
      onToggle={({ currentTarget }) => isAdmin && setOpen(currentTarget.open)}
    >
      <summary>Set up columns</summary>
      <Stack gap={12} pt={12}>
        <p className="text-secondary">{panelText(view, saved)}</p>
        <SimpleGrid cols={{ base: 1, sm: 3 }} maw={720}>
          {select("Rank", roles.rank ?? "", (rank) => ({ rank }))}
          {select("Name", roles.name.join(" + "), (name) => ({ name: name === null ? [] : [name] }))}
          {select("Score", roles.score ?? "", (score) => ({ score }))}
        </SimpleGrid>
        <ErrorNotice error={save.error} what="Couldn’t save the columns." />
        <Group gap={8}>
          {(draft !== null || saved !== undefined) && (
            <RequirePermission permission="settings.program">
              <Button
                variant={draft === null ? "default" : "filled"}
                loading={save.isPending}
                onClick={() => save.mutate({ id: boardId, roles: draft }, { onSuccess: () => onDraft(null) })}
              >
                {draft === null ? "Find them automatically" : "Save for everyone"}
              </Button>
            </RequirePermission>
          )}
          {draft !== null && (
            <Button disabled={save.isPending} onClick={() => onDraft(null)}>
              Discard
            </Button>
          )}
        </Group>
        <output className="caption">
          {draft !== null && "Only you see this until it’s saved."}
          {draft === null && save.isSuccess && "Saved for everyone."}
        </output>
      </Stack>
    </details>
  )
}

function panelText(view: Ranking["view"], saved: RankingRoles | undefined): string {
  if (view !== "places") return "Couldn’t find the ranking. Choose the name, and the score or the rank."
  if (saved !== undefined) return "These columns were chosen for everyone."
  return "These columns were found by their names. Change them if they’re wrong."
}
