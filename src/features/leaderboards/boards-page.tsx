import { IconTrophy } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { CellLink } from "../../ui/record-link.tsx"
import { useMemo } from "react"
import { leaderboardsQuery } from "../../api/leaderboards.ts"
import { counted } from "../../lib/format.ts"
import { type Board, boardsOf } from "../../lib/ranking/boards.ts"
import type { ListColumn } from "../../lists/list-columns.ts"
import { listQuery, useLocalListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { ResourceList } from "../../lists/resource-list.tsx"
import { Notice } from "../../ui/notice.tsx"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { Truncate } from "../../ui/values.tsx"
import { SentJson } from "./ranking-view.tsx"
import { Button } from "../../ui/button.tsx"

/** Every leaderboard of the program. */
export function BoardsPage() {
  return (
    <RequirePagePermission permission="leaderboards.read" title="Leaderboards" noun="leaderboards">
      <Boards />
    </RequirePagePermission>
  )
}

interface BoardRow extends Board {
  /** Index in the response: ids may be missing or duplicated. */
  readonly at: number
}

const rowId = ({ at }: BoardRow) => String(at)
const nameOf = ({ name }: BoardRow) => name ?? "Without a name"

function Boards() {
  const client = useQueryClient()
  const query = useQuery(leaderboardsQuery())
  const sent = query.data?.data
  const boards = useMemo(() => boardsOf(sent), [sent])
  const rows = useMemo(() => (boards ?? []).map((board, at) => ({ ...board, at })), [boards])
  const refresh = () => void client.prefetchQuery({ ...leaderboardsQuery({ fresh: true }), staleTime: 0 })
  const unreadable = query.data !== undefined && boards === null
  const count = rows.length === 0 ? undefined : counted(rows.length, "leaderboard")
  return (
    <ResourceList
      title="Leaderboards"
      query={listQuery(query, useLocalListState(), { rows, refresh })}
      rowId={rowId}
      columns={columns}
      sum={count}
      notes={
        unreadable && (
          <Notice tone="warning" title="The response has no list of leaderboards">
            Nothing in it could be recognised as one. It is shown below as it was sent.
          </Notice>
        )
      }
      renderRows={unreadable ? () => <SentJson label="Leaderboards as sent" sent={sent} /> : undefined}
      empty={
        unreadable
          ? undefined
          : {
              icon: IconTrophy,
              title: "No leaderboards yet",
              help: "Leaderboards are created in the program’s dashboard and appear here automatically.",
              actions: <Button onClick={refresh}>Refresh</Button>,
            }
      }
      footer={{ count, end: null }}
    />
  )
}

/** Names and ids are recognised; other fields are shown as received. */
const columns: readonly ListColumn<BoardRow>[] = [
  {
    id: "name",
    header: "Name",
    accessorFn: nameOf,
    cell: ({
      row: {
        original: { id, name },
      },
    }) =>
      id === null ? (
        <span className="text-secondary">
          <bdi>{name ?? "Without a name"}</bdi>{" "}
          <span className="l-meta text-muted">No id was sent, so it cannot be opened</span>
        </span>
      ) : (
        <CellLink
          to="/leaderboards/$boardId"
          params={{ boardId: id }}
          className={`${links.link} truncate`}
          data-row-link
        >
          <bdi>{name}</bdi>
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
    accessorFn: restText,
    cell: ({ row: { original: board } }) => (
      <Truncate full={restText(board)} className="text-secondary">
        {board.rest.map(([field, value], at) => (
          <span key={field}>
            {at > 0 && ", "}
            <span className="l-mono text-muted">{field}</span> <bdi>{value}</bdi>
          </span>
        ))}
      </Truncate>
    ),
  },
]

function restText({ rest }: Board): string {
  return rest.map(([field, value]) => `${field}: ${value}`).join(", ")
}
