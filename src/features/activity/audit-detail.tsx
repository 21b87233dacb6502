import { IconArrowRight } from "@tabler/icons-react"
import type { AuditEntry } from "../../../contract/audit.ts"
import { roleNames, roles } from "../../../contract/roles.ts"
import { exact } from "../../lib/time.ts"
import { CopyText } from "../../ui/values.tsx"
import { Subject } from "./audit-columns.tsx"
import classes from "./audit.module.css"
import { auditKinds } from "./audit-search.ts"

/** One entry in full: who and when exactly, what changed from what to what, the request in the server's log and where it came from. */
export function AuditDetail({ entry }: { entry: AuditEntry }) {
  const { actor, on, note, changes } = entry
  return (
    <div className={classes.detail}>
      {note !== null && <p className={classes.note}>{note}</p>}
      {changes.length > 0 && (
        <table className={classes.changes} aria-label="What changed">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">
                <span className={classes.arrow}>After</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.field}>
                <th scope="row" className="l-mono">
                  {change.field}
                </th>
                <td className={classes.from}>{change.from ?? "None"}</td>
                <td>
                  <span className={classes.to}>
                    <IconArrowRight size={14} stroke={2} aria-hidden />
                    {change.to ?? "None"}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <dl className={classes.facts}>
        <dt>When</dt>
        <dd className="l-num">{exact(entry.at)}</dd>
        <dt>Who</dt>
        <dd>
          {actor.name}, {roleName(actor.role)}
        </dd>
        <dt>Item</dt>
        <dd>
          {kindName(on.kind)} <Subject entry={entry} /> {on.id !== "" && <CopyText text={on.id} mono />}
        </dd>
        <dt>Request</dt>
        <dd>
          <CopyText text={entry.request_id} mono />
        </dd>
        {entry.source !== null && (
          <>
            <dt>Source address</dt>
            <dd>
              <CopyText text={entry.source} mono />
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

function roleName(role: string): string {
  const known = roles.find((each) => each === role)
  return known === undefined ? role : roleNames[known].toLowerCase()
}

function kindName(kind: string): string {
  const names: Readonly<Record<string, string>> = auditKinds
  return (Object.hasOwn(names, kind) ? names[kind] : undefined) ?? kind
}
