import { useQuery } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { AuditEntry } from "../../../../contract/audit.ts"
import { auditQuery } from "../../../api/audit.ts"
import { useSession } from "../../../api/session.ts"
import { actionName } from "../../../lib/action-name.ts"
import { useKnownName } from "../use-known-name.ts"
import { actIcon } from "./act-icon.ts"
import { LatelyList, latelyShown } from "./lately-list.tsx"

/** The newest acts on the program; signing in and out is none. */
export function LatelyActs() {
  const { user } = useSession()
  const nameOf = useKnownName()
  const { data, error, isFetching, refetch } = useQuery(auditQuery({}, 1))
  const acts = data?.entries.filter(({ area }) => area === "program").slice(0, latelyShown)
  return (
    <LatelyList
      end={
        <Link to="/audit" className="l-link">
          Audit log
        </Link>
      }
      error={isFetching ? null : error}
      onRetry={() => void refetch()}
      lines={acts?.map(({ id, action, on, outcome, actor, at }) => ({
        id,
        icon: actIcon(action),
        what: `${actionName(action)}${outcome === "done" ? "" : `, ${outcomeWords[outcome]}`}`,
        on: on.label ?? (on.kind === "member" ? nameOf(on.id) : undefined) ?? on.id,
        link: linkOf(on),
        who: actor.id === user.id ? "you" : actor.name,
        at,
      }))}
    />
  )
}

const outcomeWords = { refused: "refused", failed: "failed", unknown: "not known" } as const

function linkOf({ kind, id }: AuditEntry["on"]): LinkProps | undefined {
  if (id === "") return undefined
  if (kind === "job") return { to: "/jobs/$jobId", params: { jobId: id } }
  return { to: "/audit", search: { id } }
}
