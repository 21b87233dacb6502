import { Button } from "@mantine/core"
import { IconMinus, IconPlus, IconUserPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { NeedsRole } from "../../../ui/require-permission.tsx"
import classes from "./file-choices.module.css"

const icon = { size: 16, stroke: 1.75, "aria-hidden": true } as const

/** What a file can be for. */
export function FileChoices() {
  return (
    <div className={classes.choices}>
      <NeedsRole permission="points.write">
        <Button
          variant="subtle"
          justify="flex-start"
          fullWidth
          leftSection={<IconPlus {...icon} />}
          renderRoot={(props) => <Link {...props} to="/members/points-file" search={{ kind: "award" }} />}
        >
          Award points
        </Button>
      </NeedsRole>
      <NeedsRole permission="points.write">
        <Button
          variant="subtle"
          justify="flex-start"
          fullWidth
          leftSection={<IconMinus {...icon} />}
          renderRoot={(props) => <Link {...props} to="/members/points-file" search={{ kind: "deduct" }} />}
        >
          Deduct points
        </Button>
      </NeedsRole>
      <NeedsRole permission="members.edit">
        <Button
          variant="subtle"
          justify="flex-start"
          fullWidth
          leftSection={<IconUserPlus {...icon} />}
          renderRoot={(props) => <Link {...props} to="/members/import" />}
        >
          Add members
        </Button>
      </NeedsRole>
    </div>
  )
}
