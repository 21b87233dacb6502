import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useCan } from "../../../api/session.ts"
import { NeedsRole } from "../../../ui/require-permission.tsx"

/** Opens the drawer that creates a member, above the list as it stands. */
export function NewMemberButton() {
  const allowed = useCan("members.edit")
  const plus = <IconPlus size={16} stroke={2} aria-hidden />
  if (!allowed) {
    return (
      <NeedsRole permission="members.edit">
        <Button variant="filled" leftSection={plus}>
          New member
        </Button>
      </NeedsRole>
    )
  }
  return (
    <Button
      variant="filled"
      leftSection={plus}
      renderRoot={(props) => (
        <Link to="/members/new" search={(before) => before} resetScroll={false} {...props} />
      )}
    >
      New member
    </Button>
  )
}
