import { Button } from "@mantine/core"
import { useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { fullName } from "../../../lib/names.ts"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { ClashChoice } from "./clash-choice.tsx"
import { valuesOf, type EditValues } from "./edit-model.ts"
import { clashesOf, mergeWays, type Choices } from "./three-way.ts"

interface ConflictDrawerProps {
  /** As the form was opened. */
  before: EditValues
  /** The member as it is now. */
  now: Member
  /** What was typed. */
  yours: EditValues
  /** What goes on in the form. */
  onDecided: (typed: EditValues) => void
  onClose: () => void
}

/** Somebody else changed the same fields: theirs, yours and before, field by field. Nothing is pre-selected. */
export function ConflictDrawer({ before, now, yours, onDecided, onClose }: ConflictDrawerProps) {
  const ways = { before, theirs: valuesOf(now), yours }
  const clashes = clashesOf(ways)
  const [choices, setChoices] = useState<Choices>({})
  const open = clashes.filter((clash) => choices[clash.field] === undefined).length
  return (
    <SideDrawer
      title={`Edit ${fullName(now)}`}
      wide
      onClose={onClose}
      foot={
        <Button
          variant="filled"
          size="md"
          fullWidth
          disabled={open > 0}
          onClick={() => onDecided(mergeWays(ways, choices))}
        >
          {open > 0 ? `${open} left to resolve` : "Continue with these values"}
        </Button>
      }
    >
      <Notice tone="warning" title="Someone changed this member while you were editing">
        {clashes.length === 0
          ? "None of your fields is affected. Continue and save again."
          : "Your change wasn’t sent and is kept here. Choose a value for each field below; your other changes are kept."}
      </Notice>
      {clashes.map((clash) => (
        <ClashChoice
          key={clash.field}
          clash={clash}
          choice={choices[clash.field]}
          onChoose={(choice) => setChoices({ ...choices, [clash.field]: choice })}
        />
      ))}
    </SideDrawer>
  )
}
