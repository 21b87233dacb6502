import { type ReactNode, useState } from "react"
import type { Member } from "../../contract/program/member.ts"
import { explain } from "../lib/errors.ts"
import { formatPoints } from "../lib/format.ts"
import { fullName } from "../lib/names.ts"
import { Avatar, NameAndAbout } from "../ui/values.tsx"
import { type MemberSuggestions, useMemberSuggestions } from "./member-suggestions.ts"
import { TypeAhead } from "./type-ahead.tsx"

/** Selects a member by part of a name or e-mail. */
export function MemberPicker({ label, onPick }: { label: string; onPick: (member: Member) => void }) {
  const [typed, setTyped] = useState("")
  const text = typed.trim().replace(/\s+/g, " ")
  const found = useMemberSuggestions(text)
  return (
    <TypeAhead
      label={label}
      listLabel="Members found"
      text={typed}
      onText={setTyped}
      options={found.members}
      open
      searching={found.searching}
      idOf={({ id }) => id}
      draw={(member) => (
        <MemberOption member={member}>
          {typeof member.points_balance === "number" && (
            <span className="l-num text-secondary">{formatPoints(member.points_balance)}</span>
          )}
        </MemberOption>
      )}
      onPick={onPick}
      message={messageFor(text, found)}
      field={{ placeholder: "Name or e-mail", "data-autofocus": true }}
    />
  )
}

/** A member in a list of suggestions, with one more detail at the end. */
export function MemberOption({ member, children }: { member: Member; children: ReactNode }) {
  return (
    <>
      <Avatar name={fullName(member)} />
      <NameAndAbout name={fullName(member)} about={member.email ?? member.company ?? member.id} />
      {children}
    </>
  )
}

function messageFor(text: string, found: MemberSuggestions): string {
  if (found.tooShort) return `Type at least two letters.`
  if (found.error !== null) return `Search failed: ${explain(found.error).title}.`
  if (found.searching) return "Searching…"
  if (found.members.length === 0 && found.answered) return `No members match “${text}”.`
  return ""
}
