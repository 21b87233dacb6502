import { UnstyledButton } from "@mantine/core"
import { IconMenu2, IconSelector } from "@tabler/icons-react"
import type { ComponentProps } from "react"
import { roleNames } from "../../contract/roles.ts"
import { useSession } from "../api/session.ts"
import { Avatar } from "../ui/values.tsx"
import classes from "./user-menu.module.css"

/** Name and role at the end of the navigation, or "More" at the end of a phone's bar. */
type UserMenuTargetProps = ComponentProps<"button"> & { look: "nav" | "bar" }

/** What opens the user menu. */
export function UserMenuTarget({ look, ...others }: UserMenuTargetProps) {
  const { user } = useSession()
  if (look === "bar") {
    return (
      <UnstyledButton {...others} className={classes.more}>
        <IconMenu2 size={20} stroke={1.75} aria-hidden className={classes.hint} />
        More
      </UnstyledButton>
    )
  }
  return (
    <UnstyledButton {...others} className={classes.who}>
      <Avatar name={user.name} accent />
      <span className={classes.words}>
        <span className={classes.name}>{user.name}</span>
        <span className={classes.role}>{roleNames[user.role]}</span>
        <span className="visually-hidden">Your menu</span>
      </span>
      <IconSelector size={16} stroke={1.75} aria-hidden className={classes.hint} />
    </UnstyledButton>
  )
}
