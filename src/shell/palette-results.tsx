/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/prefer-tag-over-role --
   options of a combobox: the focus and the keys stay in its input (WAI-ARIA, combobox with a listbox) */
import { Box, Group } from "@mantine/core"
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react"
import type { Member } from "../../contract/program/member.ts"
import { explain } from "../lib/errors.ts"
import { nextRequestAt } from "../api/request.ts"
import { useCan, useSession } from "../api/session.ts"
import { budgetQuery } from "../api/status.ts"
import { fullName } from "../lib/names.ts"
import { type MemberSuggestions, shortestSearch, useMemberSuggestions } from "../forms/member-suggestions.ts"
import { paletteGroups, type PaletteItem, useOrderHit } from "./palette-items.ts"
import { overlay } from "./shell-state.ts"
import { useExternalValue, useNow } from "../ui/hooks.ts"
import { Avatar, Points } from "../ui/values.tsx"
import classes from "./palette.module.css"

/** What the field passes on to the results below it. */
export interface PaletteKeys {
  readonly step: (by: 1 | -1) => void
  readonly enter: () => void
}

/** What the palette offers for a text, the cost of searching, and why there is nothing. */
export function PaletteResults(props: {
  id: string
  text: string
  /** Enter was pressed for this text before there was anything to open. */
  hurried: boolean
  keys: RefObject<PaletteKeys | null>
  onHurry: () => void
  onCurrent: (id: string | undefined) => void
}) {
  const { id, text, hurried, keys, onHurry, onCurrent } = props
  const session = useSession()
  const router = useRouter()
  const [chosen, setChosen] = useState<{ text: string; id: string } | null>(null)
  const allowed = useCan("members.search")
  const hits = useMemberSuggestions(text, allowed)
  const order = useOrderHit(text)
  const searching = hits.searching || order.searching
  const groups = paletteGroups(session, text, hits.members, order)
  const items = groups.flatMap((group) => group.items)
  const current = items.find((item) => chosen?.text === text && item.id === chosen.id) ?? items[0]
  const currentId = current === undefined ? undefined : optionId(current)
  const message = messageFor(text, hits, allowed, items.length === 0)

  const open = useCallback(
    ({ opens }: PaletteItem) => {
      overlay.set(null)
      if ("href" in opens) globalThis.open(opens.href, "_blank", "noopener,noreferrer")
      else if ("to" in opens) void router.navigate({ href: opens.to })
      else {
        const here = router.state.matches.findLast(({ params }) => "memberId" in params)?.params
        const whom = here !== undefined && "memberId" in here ? here.memberId : undefined
        const drawer = { act: opens.act, for: whom, outcome: undefined }
        void router.navigate({ to: ".", search: (now) => ({ ...now, ...drawer }), resetScroll: false })
      }
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
      if (current !== undefined && (current.member !== undefined || !searching)) open(current)
      else onHurry()
    },
  }))

  return (
    <>
      <div className="grow scroll" id={id} role="listbox" aria-label="Results">
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
      <output className={message === "" ? "visually-hidden" : classes.message}>{message}</output>
      <PaletteFooter hits={hits} />
    </>
  )
}

function optionId(item: PaletteItem): string {
  return `palette-${encodeURIComponent(item.id)}`
}

function PaletteOption(props: {
  id: string
  item: PaletteItem
  text: string
  selected: boolean
  onChoose: () => void
  onPoint: () => void
}) {
  const { id, item, text, selected, onChoose, onPoint } = props
  const { label, member, icon: Icon } = item
  const also = member === undefined ? item.also : besideName(member, text)
  const mark = (words: string) => (member === undefined ? words : <Marked words={words} text={text} />)
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
      {Icon && <Icon size={16} stroke={1.75} aria-hidden className="text-muted" />}
      {member && <Avatar name={label} accent={selected} />}
      <Group component="span" gap="sm" wrap="nowrap" className="grow">
        <span className="truncate">{mark(label)}</span>
        {also !== undefined && <span className="truncate text-secondary grow">{mark(also)}</span>}
      </Group>
      {member && <Points value={member.points_balance} dim />}
      {selected && <kbd>Enter</kbd>}
    </div>
  )
}

function besideName(member: Member, text: string): string {
  const { company, email } = member
  const word = text.split(" ")[0]?.toLocaleLowerCase() ?? ""
  const byEmail =
    email?.toLocaleLowerCase().includes(word) && !fullName(member).toLocaleLowerCase().includes(word)
  return (byEmail ? email : company) ?? email ?? ""
}

function messageFor(text: string, hits: MemberSuggestions, allowed: boolean, empty: boolean): string {
  if (hits.error !== null) {
    const { title, next } = explain(hits.error)
    return `Members weren’t searched. ${[`${title}.`, next].filter(Boolean).join(" ")}`
  }
  if (!empty) return ""
  if (hits.searching) return "Searching members…"
  if (!allowed) return `No results. You can open members by id.`
  if (text.length < shortestSearch) return "Type at least two letters to search."
  return `No results for “${text}”. Search covers names and e-mails, not companies.`
}

function PaletteFooter({ hits }: { hits: MemberSuggestions }) {
  const { data } = useQuery(budgetQuery)
  const waitsUntil = useExternalValue(nextRequestAt)
  const now = useNow("second")
  const left = data?.find(({ api }) => api === "program")?.left
  const usesRequest = hits.age === null ? hits.searching : hits.age === 0
  const spent = usesRequest ? "1 request" : hits.age === null ? "" : "No request"
  return (
    <div className={classes.foot}>
      <Group component="span" gap="xs" visibleFrom="sm">
        <kbd>
          <IconArrowUp size={10} stroke={2.5} aria-label="Up" />
        </kbd>
        <kbd>
          <IconArrowDown size={10} stroke={2.5} aria-label="Down" />
        </kbd>
        choose
      </Group>
      <Group component="span" gap="xs" visibleFrom="sm">
        <kbd>Enter</kbd> open
      </Group>
      <Box component="span" ms="auto" className="l-num">
        {hits.searching && waitsUntil !== null
          ? `Next request in ${Math.max(1, Math.ceil((waitsUntil - now) / 1000))} s`
          : [spent, left === undefined ? "" : `${left} left`].filter(Boolean).join(", ")}
      </Box>
    </div>
  )
}

/** Words with what was typed marked in them: the whole text where it stands together, else its first word. */
function Marked({ words, text }: { words: string; text: string }) {
  const lower = words.toLocaleLowerCase()
  const wanted = [text, text.split(" ")[0] ?? ""].map((part) => part.toLocaleLowerCase())
  const found = wanted.find((part) => part !== "" && lower.includes(part))
  // Lower-casing can change a text's length (İ): then nothing is marked rather than the wrong letters.
  if (found === undefined || lower.length !== words.length) return words
  const from = lower.indexOf(found)
  return (
    <>
      {words.slice(0, from)}
      <mark className={classes.mark}>{words.slice(from, from + found.length)}</mark>
      {words.slice(from + found.length)}
    </>
  )
}
