import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { fullName } from "../../../lib/names.ts"
import { CopyText } from "../../../ui/copy-text.tsx"
import { Outcome } from "../../../ui/outcome.tsx"
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
      <Outcome word="Created">{name} is a member now</Outcome>
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
            <CopyText text={member.id} mono />
          </dd>
        </div>
      </dl>
    </SideDrawer>
  )
}
