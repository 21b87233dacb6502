/* oxlint-disable jsx-a11y/prefer-tag-over-role -- options with two lines and an avatar have no tag of their own */
import { TextInput } from "@mantine/core"
import { useId, useState, type KeyboardEvent } from "react"
import type { Member } from "../../../contract/program/member.ts"
import { explain } from "../../api/errors.ts"
import { cost, formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { Avatar } from "../../ui/values.tsx"
import classes from "./member-picker.module.css"
import { useMemberSuggestions, type MemberSuggestions } from "./use-member-suggestions.ts"

interface MemberPickerProps {
  label: string
  onPick: (member: Member) => void
}

/** Chooses a member by typing part of a name or an e-mail: arrows move, Enter chooses. */
export function MemberPicker({ label, onPick }: MemberPickerProps) {
  const list = useId()
  const [typed, setTyped] = useState("")
  const [at, setAt] = useState(0)
  const text = typed.trim().replace(/\s+/g, " ")
  const found = useMemberSuggestions(text)
  const { members } = found
  const current = members[Math.min(at, members.length - 1)]
  const idOf = (member: Member) => `${list}-${encodeURIComponent(member.id)}`

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || members.length === 0) return
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((Math.min(at, members.length - 1) + step + members.length) % members.length)
    } else if (event.key === "Enter" && current !== undefined) {
      event.preventDefault()
      onPick(current)
    }
  }

  return (
    <div className={classes.picker}>
      <TextInput
        size="md"
        label={label}
        placeholder="Name or e-mail"
        data-autofocus
        role="combobox"
        aria-expanded={members.length > 0}
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : idOf(current)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={list} aria-label="Members found" className={classes.list}>
        {members.map((member) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
          <div
            key={member.id}
            id={idOf(member)}
            role="option"
            tabIndex={-1}
            aria-selected={member === current}
            className={classes.option}
            onClick={() => onPick(member)}
            onPointerMove={() => setAt(members.indexOf(member))}
          >
            <Avatar name={fullName(member)} />
            <span className={classes.who}>
              <span className={classes.name}>{fullName(member)}</span>
              <span className={classes.below}>{member.email ?? member.company ?? member.id}</span>
            </span>
            {typeof member.points_balance === "number" && (
              <span className="l-num text-secondary">{formatPoints(member.points_balance)}</span>
            )}
          </div>
        ))}
      </div>
      <output className={classes.message}>{messageFor(text, found, members.length)}</output>
    </div>
  )
}

/** What the list cannot say itself: what looking costs, that it goes on, that nobody was found. */
function messageFor(text: string, found: MemberSuggestions, shown: number): string {
  if (text.length < 2) return `Type at least two letters. A search uses ${cost(1)}.`
  if (found.error !== null) return `Search failed: ${explain(found.error).title}.`
  if (found.searching) return "Searching…"
  if (shown === 0 && found.answered) return `No members match “${text}”.`
  return ""
}
