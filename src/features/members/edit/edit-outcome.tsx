import { Button } from "@mantine/core"
import { IconArrowRight } from "@tabler/icons-react"
import type { Member } from "../../../../contract/program/member.ts"
import type { SavedMember } from "../../../api/member-writes.ts"
import { fullName } from "../../../lib/names.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Outcome, SideDrawer } from "../../../ui/side-drawer.tsx"
import { asText } from "../page/further-fields.ts"
import classes from "./outcome.module.css"
import { savedChanges } from "./saved-changes.ts"

interface EditOutcomeProps {
  before: Member
  saved: SavedMember
  onAgain: () => void
  onClose: () => void
}

/** What became of an edit, in the drawer it was made in. The page behind shows the new values already. */
export function EditOutcome({ before, saved, onAgain, onClose }: EditOutcomeProps) {
  const { member, missing, kept } = saved
  const name = fullName(member)
  return (
    <SideDrawer
      title={`Edit ${name}`}
      wide
      onClose={onClose}
      foot={
        <div className={classes.buttons}>
          <Button size="md" onClick={onAgain}>
            Edit again
          </Button>
          <Button size="md" variant="filled" onClick={onClose} data-autofocus>
            Done
          </Button>
        </div>
      }
    >
      <Outcome word="Saved">Changes saved</Outcome>
      {missing.length > 0 && (
        <Notice tone="warning" title={`${keys(missing)} not saved as sent`}>
          The service confirmed the change, but the saved record differs. Check the metadata, or ask the
          program administrator what the service keeps.
        </Notice>
      )}
      {kept.length > 0 && (
        <Notice tone="warning" title={`${keys(kept)} still there after removal`}>
          The service seems to merge metadata instead of replacing it. Set the value to Nothing or to an empty
          text instead.
        </Notice>
      )}
      <dl className={classes.facts}>
        {savedChanges(before, member).map(({ label, from, to }) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd>
              <span className="text-muted">{asText(from) || "Empty"}</span>
              <IconArrowRight size={14} stroke={2} aria-label="now" />
              <b>{asText(to) || "Empty"}</b>
            </dd>
          </div>
        ))}
      </dl>
    </SideDrawer>
  )
}

function keys(names: readonly string[]): string {
  return `${new Intl.ListFormat("en-AU").format(names)} ${names.length === 1 ? "is" : "are"}`
}
