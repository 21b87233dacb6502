import type { Member } from "../../../../contract/program/member.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { Status } from "../../../ui/status.tsx"
import classes from "./deactivate-dialog.module.css"

interface DeactivateQuestionProps {
  members: readonly Member[]
  /** Those that are not inactive already. */
  targets: readonly Member[]
}

/** Who would be deactivated, what it means and what it costs. */
export function DeactivateQuestion({ members, targets }: DeactivateQuestionProps) {
  const already = members.length - targets.length
  return (
    <>
      <p>
        {targets.length === 0
          ? "They’re all inactive already, so there’s nothing to do."
          : "They keep their points and history, and you can reactivate them any time."}
        {targets.length > 0 && already > 0 && ` ${alreadySo(already)}`}
      </p>
      <ul className={classes.rows} aria-label="Selected members">
        {members.map((member) => (
          <li key={member.id} className={classes.row}>
            <span className={classes.name}>{fullName(member)}</span>
            <Status of="member" value={member.status} />
          </li>
        ))}
      </ul>
      {targets.length > 0 && (
        <p className="l-meta text-muted l-num">
          {activeText(targets)}. {cost(targets.length)}.
        </p>
      )}
    </>
  )
}

function alreadySo(count: number): string {
  return count === 1
    ? "One is already inactive and stays unchanged."
    : `${formatCount(count)} are already inactive and stay unchanged.`
}

function activeText(targets: readonly Member[]): string {
  const active = targets.filter((member) => member.status?.toLowerCase() === "active").length
  const others = targets.length - active
  const first = active === 1 ? "1 is active" : `${formatCount(active)} are active`
  return others === 0 ? first : `${first}, ${formatCount(others)} pending or of another status`
}
