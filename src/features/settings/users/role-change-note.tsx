import { roleNames, type Role } from "../../../../contract/roles.ts"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./role-change-note.module.css"
import { roleChange } from "./role-change.ts"

interface RoleChangeNoteProps {
  name: string
  from: Role
  to: Role
}

/** What a change of role gives and takes, before it is saved. */
export function RoleChangeNote({ name, from, to }: RoleChangeNoteProps) {
  if (from === to) return null
  const { gains, loses } = roleChange(from, to)
  return (
    <Notice
      tone="info"
      title={`${name} goes from ${roleNames[from].toLowerCase()} to ${roleNames[to].toLowerCase()}`}
    >
      <Part words="Gains" items={gains} />
      <Part words="Loses" items={loses} />
    </Notice>
  )
}

function Part({ words, items }: { words: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div className={classes.part}>
      <p className={classes.head}>{words}</p>
      <ul aria-label={words}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
