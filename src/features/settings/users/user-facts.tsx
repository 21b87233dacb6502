import type { DeskUser } from "../../../../contract/users.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Facts } from "../facts.tsx"
import { UserState } from "./user-state.tsx"
import classes from "./users-drawer.module.css"

/** What is known about a user and cannot be changed here. */
export function UserFacts({ user }: { user: DeskUser }) {
  return (
    <div className={classes.facts}>
      <Facts
        rows={[
          ["E-mail", user.email],
          ["State", <UserState key="state" user={user} />],
          [
            "Last seen",
            user.last_seen_at === null ? "Not yet" : <RelativeTime key="seen" at={user.last_seen_at} />,
          ],
          ["Created", <RelativeTime key="created" at={user.created_at} />],
        ]}
      />
    </div>
  )
}
