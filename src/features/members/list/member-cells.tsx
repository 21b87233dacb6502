import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { asSent } from "../../../../contract/reading.ts"
import { fullName } from "../../../lib/names.ts"
import links from "../../../lists/list-table.module.css"
import type { ListLayout } from "../../../lists/list-columns.ts"
import { Avatar, Points, RelativeTime, Truncate } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import classes from "./member-cells.module.css"

/** Who it is, with the row's link; below it, on touch, what tells people of one name apart. */
export function NameCell({ member, layout }: { member: Member; layout: ListLayout }) {
  const name = fullName(member)
  const below = member.company || member.email
  return (
    <span className={classes.who}>
      <Avatar name={name} />
      <span className={classes.lines}>
        <Link
          to="/members/$memberId"
          params={{ memberId: member.id }}
          data-row-link
          className={`${links.link} ${classes.line}`}
        >
          {name}
        </Link>
        {layout !== "wide" && below && <span className={classes.below}>{below}</span>}
      </span>
    </span>
  )
}

/** Appears at the right end of the row on hover and focus: awards points without leaving the list. */
export function AwardInRow({ member }: { member: Member }) {
  return (
    <Link
      to="."
      search={(now) => ({ ...now, act: "award", for: member.id })}
      resetScroll={false}
      className={classes.award}
      aria-label={`Award points to ${fullName(member)}`}
    >
      Award
    </Link>
  )
}

/** The balance; on a phone with the status below it. */
export function PointsCell({ member, layout }: { member: Member; layout: ListLayout }) {
  if (layout !== "phone")
    return <Points value={member.points_balance} sent={asSent(member, "points_balance")} />
  return (
    <span className={classes.endLines}>
      <Points value={member.points_balance} sent={asSent(member, "points_balance")} />
      <span className={classes.below}>
        <Status of="member" value={member.status} />
      </span>
    </span>
  )
}

/**
 * Text that may be cut, above the row's link because of its tooltip.
 * @param props.look class names of `global.css`
 */
export function CutCell({ value, look = "" }: { value: string | null | undefined; look?: string }) {
  if (value === null || value === undefined || value === "") return null
  return (
    <span className={`${look} ${classes.cut}`}>
      <Truncate>{value}</Truncate>
    </span>
  )
}

/** How long ago something was, above the row's link because of its tooltip. */
export function TimeCell({ at }: { at: string | null | undefined }) {
  return (
    <span className={`text-muted ${links.above}`}>
      <RelativeTime at={at} />
    </span>
  )
}
