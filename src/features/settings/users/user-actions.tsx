import { Button } from "@mantine/core"
import type { DeskUser } from "../../../../contract/users.ts"
import classes from "./users-drawer.module.css"

interface UserActionsProps {
  user: DeskUser
  /** Why the user cannot be disabled, if so. */
  whyNotDisable: string | undefined
  onAccess: () => void
  onLink: () => void
}

/** What can be done to a user's access, each with what it does. */
export function UserActions({ user, whyNotDisable, onAccess, onLink }: UserActionsProps) {
  const hindered = !user.disabled && whyNotDisable !== undefined
  return (
    <div className={classes.actions}>
      <div className={classes.action}>
        <div>
          <h3>Password link</h3>
          <p>
            {user.disabled
              ? "Enable the user first: links don’t work for disabled users."
              : "Works once within 24 hours and sets a new password. Earlier links stop working."}
          </p>
        </div>
        <Button onClick={onLink} disabled={user.disabled}>
          New link
        </Button>
      </div>
      <div className={classes.action}>
        <div>
          <h3>{user.disabled ? "Disabled" : "Sign-in"}</h3>
          <p>
            {user.disabled
              ? "Can’t sign in. Enabling restores access with their role and password."
              : (whyNotDisable ?? "Disabling signs them out everywhere. Nothing they did is undone.")}
          </p>
        </div>
        <Button
          {...(user.disabled || hindered ? {} : { color: "danger" })}
          disabled={hindered}
          onClick={onAccess}
        >
          {user.disabled ? "Enable" : "Disable"}
        </Button>
      </div>
    </div>
  )
}
