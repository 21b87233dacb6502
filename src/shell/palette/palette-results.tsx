/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a listbox with grouped options has no tag of its own */
import { useRouter } from "@tanstack/react-router"
import { useCallback, useEffect, useImperativeHandle, useState, type RefObject } from "react"
import { useSession } from "../../api/session.ts"
import { overlay } from "../shell-state.ts"
import { PaletteFoot } from "./palette-foot.tsx"
import { paletteGroups, type PaletteItem, useMemberHits, useOrderHit } from "./palette-items.ts"
import { PaletteMessage } from "./palette-message.tsx"
import { PaletteOption } from "./palette-option.tsx"
import type { PaletteKeys } from "./palette.tsx"
import classes from "./palette.module.css"

interface PaletteResultsProps {
  /** Of the list, which the field names as the one it controls. */
  id: string
  /** What was typed, without spaces around it. */
  text: string
  /** Enter was pressed for this text before there was anything to open. */
  hurried: boolean
  /** Where the field's keys arrive. */
  keys: RefObject<PaletteKeys | null>
  onHurry: () => void
  /** The element of the option Enter would open, for screen readers. */
  onCurrent: (id: string | undefined) => void
}

/** What the palette offers for a text, the cost of looking, and why there is nothing. */
export function PaletteResults({ id, text, hurried, keys, onHurry, onCurrent }: PaletteResultsProps) {
  const session = useSession()
  const router = useRouter()
  const [chosen, setChosen] = useState<{ text: string; id: string } | null>(null)
  const hits = useMemberHits(text)
  const order = useOrderHit(text)
  const searching = hits.searching || order.searching
  const groups = paletteGroups(session, text, hits.members, order)
  const items = groups.flatMap((group) => group.items)
  const current = items.find((item) => chosen?.text === text && item.id === chosen.id) ?? items[0]
  const currentId = current === undefined ? undefined : optionId(current)

  const open = useCallback(
    (item: PaletteItem) => {
      overlay.set(null)
      if (item.kind === "parcel") {
        globalThis.open(item.href, "_blank", "noopener,noreferrer")
        return
      }
      if (item.kind !== "points") {
        void router.navigate({ href: item.to })
        return
      }
      const { act } = item
      const here = router.state.matches.findLast(({ params }) => "memberId" in params)?.params
      const whom = here !== undefined && "memberId" in here ? here.memberId : undefined
      void router.navigate({
        to: ".",
        search: (now) => ({ ...now, act, for: whom, outcome: undefined }),
        resetScroll: false,
      })
    },
    [router],
  )

  useEffect(() => onCurrent(currentId), [currentId, onCurrent])

  // Enter came before the answer: the first hit opens when it is there.
  useEffect(() => {
    if (hurried && !searching && current !== undefined) open(current)
  }, [hurried, searching, current, open])

  useImperativeHandle(keys, () => ({
    step(by) {
      const at = current === undefined ? -1 : items.indexOf(current)
      const next = items[(at + by + items.length) % items.length]
      if (next !== undefined) setChosen({ text, id: next.id })
    },
    enter() {
      if (current?.kind === "member" || (current !== undefined && !searching)) open(current)
      else onHurry()
    },
  }))

  return (
    <>
      <div className={classes.list} id={id} role="listbox" aria-label="Results">
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={classes.heading} aria-hidden>
              {group.label}
            </div>
            {group.items.map((item) => (
              <PaletteOption
                key={item.id}
                id={optionId(item)}
                item={item}
                text={text}
                selected={item === current}
                onChoose={() => open(item)}
                onPoint={() => setChosen({ text, id: item.id })}
              />
            ))}
          </div>
        ))}
      </div>
      <PaletteMessage text={text} hits={hits} empty={items.length === 0} />
      <PaletteFoot hits={hits} />
    </>
  )
}

function optionId(item: PaletteItem): string {
  return `palette-${encodeURIComponent(item.id)}`
}
