import { IconX } from "@tabler/icons-react"
import type { Member } from "../../../../contract/program/member.ts"
import { formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { Avatar } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import classes from "./redeem-fields.module.css"

interface ChosenMemberProps {
  id: string
  /** Undefined while it is read. */
  member: Member | undefined
  balance: number | undefined
  error: Error | null
  onChange: () => void
}

/** Whom it is for, with the points they have. */
export function ChosenMember({ id, member, balance, error, onChange }: ChosenMemberProps) {
  const name = member === undefined ? id : fullName(member)
  return (
    <div className={classes.part}>
      <span className={classes.label}>Member</span>
      <div className={classes.box}>
        <Avatar name={name} accent />
        <span className={classes.lines}>
          <span className="l-medium truncate">{name}</span>
          <span className="l-meta text-muted truncate">{member?.email ?? member?.company}</span>
        </span>
        {balance !== undefined && (
          <span className="l-num text-secondary">{formatPoints(balance)} points</span>
        )}
        <IconButton label="Choose another member" icon={<IconX size={14} stroke={2} />} onClick={onChange} />
      </div>
      {error !== null && member === undefined && (
        <ErrorNotice error={error} what="Couldn’t load the member." />
      )}
    </div>
  )
}
