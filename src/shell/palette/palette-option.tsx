/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/prefer-tag-over-role --
   an option of a combobox: the focus and the keys stay in its input (WAI-ARIA, combobox with a listbox) */
import { useEffect, useRef } from "react"
import type { Member } from "../../../contract/program/member.ts"
import { fullName } from "../../lib/names.ts"
import { Avatar, Points } from "../../ui/values.tsx"
import { Marked } from "./marked.tsx"
import type { PaletteItem } from "./palette-items.ts"
import classes from "./palette-option.module.css"

interface PaletteOptionProps {
  id: string
  item: PaletteItem
  /** What was typed, to mark it. */
  text: string
  selected: boolean
  onChoose: () => void
  onPoint: () => void
}

/** One line of the palette. */
export function PaletteOption({ id, item, text, selected, onChoose, onPoint }: PaletteOptionProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: "nearest" })
  }, [selected])

  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={selected}
      className={classes.option}
      onClick={onChoose}
      onPointerMove={selected ? undefined : onPoint}
    >
      {item.kind === "member" ? (
        <>
          <Avatar name={fullName(item.member)} accent={selected} />
          <span className={classes.words}>
            <span className={classes.name}>
              <Marked words={fullName(item.member)} text={text} />
            </span>
            <span className={classes.also}>
              <Marked words={besideName(item.member, text)} text={text} />
            </span>
          </span>
          <span className={classes.amount}>
            <Points value={item.member.points_balance} dim />
          </span>
        </>
      ) : (
        <>
          <item.icon size={16} stroke={1.75} aria-hidden className={classes.icon} />
          <span className={classes.words}>
            <span className={classes.name}>{item.label}</span>
            {item.kind === "page" && item.also !== undefined && (
              <span className={classes.also}>{item.also}</span>
            )}
          </span>
        </>
      )}
      {selected && <kbd>Enter</kbd>}
    </div>
  )
}

/** The company; the e-mail when that is what the search found, so that every hit shows why it is one. */
function besideName(member: Member, text: string): string {
  const { company, email } = member
  const word = text.split(" ")[0]?.toLocaleLowerCase() ?? ""
  const byEmail =
    email?.toLocaleLowerCase().includes(word) && !fullName(member).toLocaleLowerCase().includes(word)
  return (byEmail ? email : company) ?? email ?? ""
}
