import { Link } from "@tanstack/react-router"
import type { Board } from "../../../lib/ranking/boards.ts"
import link from "../../../lists/list-table.module.css"
import { Truncate } from "../../../ui/values.tsx"
import heads from "../../../ui/table-head.module.css"
import classes from "./boards-table.module.css"

/** Boards with what else was sent of each. Names and ids are recognised; the rest is shown as it came. */
export function BoardsTable({ boards }: { boards: readonly Board[] }) {
  return (
    <div className={classes.scroller} data-scroll-restoration-id="list-leaderboards">
      <table className={classes.table} aria-label="Leaderboards">
        <thead className={`${heads.head} ${heads.stays}`}>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={classes.id}>
              Id
            </th>
            <th scope="col" className={classes.rest}>
              Other fields
            </th>
          </tr>
        </thead>
        <tbody>
          {boards.map((board, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- ids may be missing or come twice
            <tr key={at} className={classes.row}>
              <th scope="row">
                <BoardName board={board} />
              </th>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell, not a control */}
              <td className={classes.id}>
                <span className="l-mono text-muted">
                  <Truncate>{board.id ?? ""}</Truncate>
                </span>
              </td>
              <td className={classes.rest}>
                <Truncate full={restText(board)}>
                  {board.rest.map(([field, value]) => (
                    <span key={field} className={classes.fact}>
                      <span className="l-mono text-muted">{field}</span> <bdi>{value}</bdi>
                    </span>
                  ))}
                </Truncate>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function BoardName({ board: { id, name } }: { board: Board }) {
  if (id === null) {
    return (
      <span className="text-secondary">
        <bdi>{name ?? "Without a name"}</bdi>{" "}
        <span className="l-meta text-muted">No id was sent, so it cannot be opened</span>
      </span>
    )
  }
  return (
    <Link to="/leaderboards/$boardId" params={{ boardId: id }} className={link.link} data-row-link>
      <bdi>{name}</bdi>
    </Link>
  )
}

function restText({ rest }: Board): string {
  return rest.map(([field, value]) => `${field}: ${value}`).join(", ")
}
