import { useState } from "react"
import { useController, type Control } from "react-hook-form"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { explain } from "../../../api/errors.ts"
import { FieldError, TextField } from "../../../forms/fields.tsx"
import type { MemberSuggestions } from "../../../forms/member-picker.tsx"
import { TypeAhead } from "../../../forms/type-ahead.tsx"
import { fullName } from "../../../lib/names.ts"
import { Avatar } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import classes from "../issue.module.css"
import type { IssueValues } from "../issue-model.ts"

interface RecipientFieldsProps {
  control: Control<IssueValues, unknown, GiftcardRow>
  /** Members for what stands in the e-mail's field. */
  found: MemberSuggestions
  onPick: (member: Member) => void
}

/** Who gets the card: a member by typing part of the name or e-mail, or somebody new. */
export function RecipientFields({ control, found, onPick }: RecipientFieldsProps) {
  const { field, fieldState } = useController({ control, name: "email" })
  const [looking, setLooking] = useState(false)
  const text = field.value.trim()
  const message = fieldState.error?.message
  return (
    <>
      <TypeAhead
        label="Recipient’s e-mail"
        listLabel="Members found"
        text={field.value}
        onText={(typed) => {
          setLooking(true)
          field.onChange(typed)
        }}
        open={looking}
        options={found.members}
        idOf={({ id }) => id}
        draw={drawMember}
        onPick={(member) => {
          setLooking(false)
          onPick(member)
        }}
        message={looking ? messageFor(text, found) : ""}
        field={{
          ref: field.ref,
          name: field.name,
          placeholder: "E-mail, or a member’s name",
          required: true,
          "data-autofocus": true,
          onBlur: () => {
            setLooking(false)
            field.onBlur()
          },
          onKeyDown: (event) => {
            if (event.key !== "Escape" || !looking || found.members.length === 0) return
            // The first Escape puts the list away, the next one leaves the drawer.
            event.stopPropagation()
            setLooking(false)
          },
          error: message === undefined ? undefined : <FieldError message={message} />,
        }}
      />
      <div className={classes.two}>
        <TextField control={control} name="firstname" label="First name" />
        <TextField control={control} name="lastname" label="Last name" />
      </div>
    </>
  )
}

function drawMember(member: Member) {
  return (
    <>
      <Avatar name={fullName(member)} />
      <span className={classes.lines}>
        <span className="l-medium truncate">{fullName(member)}</span>
        <span className="l-meta text-muted truncate">{member.email ?? member.company ?? member.id}</span>
      </span>
      {member.status?.toLowerCase() !== "active" && <Status of="member" value={member.status} />}
    </>
  )
}

/** What the list cannot say itself. */
function messageFor(text: string, found: MemberSuggestions): string {
  if (found.error !== null) return `Search failed: ${explain(found.error).title}.`
  if (found.searching) return "Searching…"
  if (text.length < 2 || text.includes("@") || found.members.length > 0 || !found.answered) return ""
  return `No members match “${text}”. For a new recipient, enter the full e-mail.`
}
