import { IconTrophy } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { type Board, leaderboardsQuery, readBoards } from "../../api/leaderboards.ts"
import { counted } from "../../lib/format.ts"
import type { ListColumn } from "../../lists/list-columns.ts"
import { listQuery, useLocalListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { ResourceList } from "../../lists/resource-list.tsx"
import { Button } from "../../ui/button.tsx"
import { CellLink } from "../../ui/record-link.tsx"
import { Truncate } from "../../ui/values.tsx"

/** Every leaderboard of the program. */
export function BoardsPage() {
  return (
    <RequirePagePermission permission="leaderboards.read" title="Leaderboards" noun="leaderboards">
      <Boards />
    </RequirePagePermission>
  )
}

// Ids may be missing or duplicated.
type BoardRow = Board & { readonly index: number }
const rowId = ({ index }: BoardRow) => String(index)

function Boards() {
  const client = useQueryClient()
  const query = useQuery(leaderboardsQuery())
  const sent = query.data?.data
  const boards = useMemo(() => readBoards(sent), [sent])
  const rows = useMemo(() => (boards ?? []).map((board, index) => ({ ...board, index })), [boards])
  const refresh = () => void client.prefetchQuery({ ...leaderboardsQuery({ fresh: true }), staleTime: 0 })
  const count = rows.length === 0 ? undefined : counted(rows.length, "leaderboard")
  const noBoards = {
    title: "No leaderboards yet",
    help: "Leaderboards are created in the program’s dashboard and appear here automatically.",
  }
  const noList = { title: "The response has no list of leaderboards", help: "Nothing in it can be opened." }
  return (
    <ResourceList
      title="Leaderboards"
      query={listQuery(query, useLocalListState(), { rows, refresh })}
      rowId={rowId}
      columns={columns}
      sum={count}
      empty={{
        ...(boards === null ? noList : noBoards),
        icon: IconTrophy,
        actions: <Button onClick={refresh}>Refresh</Button>,
      }}
      footer={{ count, end: null }}
    />
  )
}

const columns: readonly ListColumn<BoardRow>[] = [
  {
    id: "name",
    header: "Name",
    accessorFn: ({ name }) => name ?? "Without a name",
    cell: ({ row, getValue }) =>
      row.original.id === null ? (
        <span className="text-secondary">
          <bdi>{getValue<string>()}</bdi>{" "}
          <span className="l-meta text-muted">No id was sent, so it cannot be opened</span>
        </span>
      ) : (
        <CellLink
          to="/leaderboards/$boardId"
          params={{ boardId: row.original.id }}
          className={`${links.link} truncate`}
          data-row-link
        >
          <bdi>{getValue<string>()}</bdi>
        </CellLink>
      ),
    meta: { minLayout: "phone" },
  },
  {
    id: "id",
    header: "Id",
    size: 200,
    accessorFn: ({ id }) => id ?? undefined,
    meta: { minLayout: "phone", className: "l-mono text-muted" },
  },
  {
    id: "rest",
    header: "Other fields",
    accessorFn: ({ rest }) => rest.map(([field, value]) => `${field}: ${value}`).join(", "),
    cell: ({ getValue }) => <Truncate className="text-secondary">{getValue<string>()}</Truncate>,
  },
]
