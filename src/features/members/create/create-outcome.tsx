import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconCircleCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { fullName } from "../../../lib/names.ts"
import { CopyId } from "../../../ui/copy-id.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { Status } from "../../../ui/status.tsx"
import classes from "../edit/outcome.module.css"

interface CreateOutcomeProps {
  member: Member
  onAgain: () => void
  onClose: () => void
}

/** The new member, in the drawer it was created in. The list behind reads itself again. */
export function CreateOutcome({ member, onAgain, onClose }: CreateOutcomeProps) {
  const name = fullName(member)
  return (
    <SideDrawer
      title="New member"
      wide
      onClose={onClose}
      foot={
        <div className={classes.buttons}>
          <Button size="md" onClick={onAgain}>
            Create another
          </Button>
          <Button
            size="md"
            variant="filled"
            data-autofocus
            renderRoot={(props) => (
              <Link {...props} to="/members/$memberId" params={{ memberId: member.id }} />
            )}
          >
            Open {name}
          </Button>
        </div>
      }
    >
      <output className={classes.said}>
        <IconCircleCheck size={24} stroke={1.75} aria-hidden className={classes.mark} />
        <span className={classes.sentence}>{name} is a member now</span>
      </output>
      <dl className={classes.facts}>
        <div className={classes.fact}>
          <dt>E-mail</dt>
          <dd>{member.email}</dd>
        </div>
        <div className={classes.fact}>
          <dt>Status</dt>
          <dd>
            <Status of="member" value={member.status} />
          </dd>
        </div>
        <div className={classes.fact}>
          <dt>Member id</dt>
          <dd>
            <CopyId id={member.id} />
          </dd>
        </div>
      </dl>
    </SideDrawer>
  )
}
