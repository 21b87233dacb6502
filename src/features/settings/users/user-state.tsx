import { IconBan, IconCircleCheck, IconClockHour4 } from "@tabler/icons-react"
import type { DeskUser } from "../../../../contract/users.ts"
import { Marked } from "../marked.tsx"

/** Whether a user can sign in: active, disabled, or still without a password. */
export function UserState({ user }: { user: DeskUser }) {
  if (user.disabled) {
    return (
      <Marked icon={IconBan} tone="grey">
        Disabled
      </Marked>
    )
  }
  return user.has_password ? (
    <Marked icon={IconCircleCheck} tone="success">
      Active
    </Marked>
  ) : (
    <Marked icon={IconClockHour4} tone="warning">
      Link not used yet
    </Marked>
  )
}
