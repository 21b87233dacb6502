/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/prefer-tag-over-role --
   options of a combobox: the focus and the keys stay in its input (WAI-ARIA, combobox with a listbox) */
import { Box, Group } from "@mantine/core"
import {
  type Icon,
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconChevronRight,
} from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter, useRouterState } from "@tanstack/react-router"
import { type MouseEvent, type RefObject, useCallback, useEffect } from "react"
import { useImperativeHandle, useRef, useState } from "react"
import type { Member } from "../../contract/program/member.ts"
import { explain } from "../lib/errors.ts"
import { useCan, useSession } from "../api/session.ts"
import { fullName } from "../lib/names.ts"
import type { MemberSuggestions } from "../forms/member-suggestions.ts"
import { counted, formatCount, listed } from "../lib/format.ts"
import { recordOpen } from "../lib/recent-records.ts"
import { actionGroups, groupsAtFirst, groupsFor } from "./palette-items.ts"
import type { PaletteGroup, PaletteItem, RecordItem } from "./palette-items.ts"
import { recentItems, useFound, useKnownRecord } from "./palette-records.ts"
import { useShellOverlay } from "./shell-state.ts"
import { useNow } from "../ui/hooks.ts"
import { Avatar, Points } from "../ui/values.tsx"
import classes from "./palette.module.css"
import { useRequestBudget } from "../lib/request-budget.ts"
import { secondsUntil } from "../lib/time.ts"

/** What the field passes on to the results below it. */
export interface PaletteKeys {
  readonly step: (by: 1 | -1) => void
  readonly enter: () => void
  /** Shows the actions of the record that is selected; false where none is. */
  readonly act: () => boolean
}

interface ResultsProps {
  readonly id: string
  readonly text: string
  /** Enter was pressed for this text before there was anything to open. */
  readonly hurried: boolean
  readonly keys: RefObject<PaletteKeys | null>
  readonly onHurry: () => void
  readonly onCurrent: (id: string | undefined) => void
  readonly onAct: (item: RecordItem) => void
}

/** What the palette offers for a text, or what can be done with a record, and why there is nothing. */
export function PaletteResults({ record, ...props }: ResultsProps & { record: RecordItem | undefined }) {
  return record === undefined ? <Results {...props} /> : <Actions {...props} item={record} />
}

function Results(props: ResultsProps) {
  const { text } = props
  const session = useSession()
  const client = useQueryClient()
  const open = useRouterState({ select: recordOpen, structuralSharing: true })
  const allowed = useCan("members.search")
  const { found, hits, lists, ordersLooked } = useFound(text)
  const groups =
    text === "" ? groupsAtFirst(session, recentItems(client, session, open)) : groupsFor(session, text, found)
  const isEmpty = groups.every(({ items }) => items.length === 0)
  return (
    <>
      <Options {...props} groups={groups} />
      <Message shown={messageFor(text, hits, lists, isEmpty, allowed ? undefined : ordersLooked)} />
      <PaletteFooter hits={hits} loading={lists.some(({ loading }) => loading)} />
    </>
  )
}

function Actions(props: ResultsProps & { item: RecordItem }) {
  const { item, text } = props
  const groups = actionGroups(useSession(), item, useKnownRecord(item.record), text)
  const found = groups.reduce((sum, { items }) => sum + items.length, 0)
  return (
    <>
      <Options {...props} groups={groups} />
      <Message
        shown={found === 0 ? "No action matches." : ""}
        spoken={`${counted(found, "action")} for ${item.label}. Left arrow goes back.`}
      />
      <PaletteFooter />
    </>
  )
}

function Message({ shown, spoken = "" }: { shown: string; spoken?: string }) {
  return <output className={shown === "" ? "visually-hidden" : classes.message}>{shown || spoken}</output>
}

function Options(props: ResultsProps & { groups: readonly PaletteGroup[] }) {
  const { id, text, hurried, keys, groups, onHurry, onCurrent, onAct } = props
  const router = useRouter()
  const [chosen, setChosen] = useState<{ text: string; id: string } | null>(null)
  const items = groups.flatMap((group) => group.items)
  const current = items.find((item) => chosen?.text === text && item.id === chosen.id) ?? items[0]
  // Nothing that is still searched can come before it, or it is meant all the same.
  const before = groups.slice(0, groups.findIndex((group) => current && group.items.includes(current)) + 1)
  const isSure =
    current?.member !== undefined || current?.named === true || before.every(({ searching }) => !searching)
  const currentId = current === undefined ? undefined : optionId(current)

  const open = useCallback(
    ({ opens }: PaletteItem) => {
      useShellOverlay.setState({ overlay: null })
      if ("href" in opens) globalThis.open(opens.href, "_blank", "noopener,noreferrer")
      else if ("to" in opens) void router.navigate({ href: opens.to })
      else {
        const here = recordOpen(router.state)
        const whom = opens.for ?? (here?.kind === "member" ? here.id : undefined)
        const drawer = { act: opens.act, for: whom, reward_id: undefined, outcome: undefined }
        void router.navigate({ to: ".", search: (now) => ({ ...now, ...drawer }), resetScroll: false })
      }
    },
    [router],
  )

  useEffect(() => onCurrent(currentId), [currentId, onCurrent])

  // Enter came before the answer: the first hit opens when it is there.
  useEffect(() => {
    if (hurried && isSure && current !== undefined) open(current)
  }, [hurried, isSure, current, open])

  const act = ({ record, ...item }: PaletteItem) => {
    if (record !== undefined) onAct({ ...item, record })
    return record !== undefined
  }

  useImperativeHandle(keys, () => ({
    step(by) {
      const at = current === undefined ? -1 : items.indexOf(current)
      const next = items[(at + by + items.length) % items.length]
      if (next !== undefined) setChosen({ text, id: next.id })
    },
    enter() {
      if (current !== undefined && isSure) open(current)
      else onHurry()
    },
    act: () => current !== undefined && act(current),
  }))

  return (
    <div className="grow scroll" id={id} role="listbox" aria-label="Results">
      {groups
        .filter((group) => group.items.length > 0)
        .map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={`text-muted ${classes.heading}`} aria-hidden>
              {group.label}
            </div>
            {group.items.map((item) => (
              <PaletteOption
                key={item.id}
                id={optionId(item)}
                item={item}
                text={text}
                selected={item === current}
                onChoose={({ target }) =>
                  target instanceof Element && target.closest(`.${classes.actions}`) ? act(item) : open(item)
                }
                onPoint={() => setChosen({ text, id: item.id })}
              />
            ))}
          </div>
        ))}
    </div>
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
  onChoose: (event: MouseEvent) => void
  onPoint: () => void
}) {
  const { id, item, text, selected, onChoose, onPoint } = props
  const { label, member, record, icon: Icon } = item
  const also = member === undefined ? item.also : besideName(member, text)
  const mark = (words: string) => (record === undefined ? words : <Marked words={words} text={text} />)
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
      aria-describedby={record && hintId}
      className={classes.option}
      onClick={onChoose}
      onPointerMove={selected ? undefined : onPoint}
    >
      {member === undefined || record === undefined ? (
        <Icon size={16} stroke={1.75} aria-hidden className="text-muted" />
      ) : (
        <Avatar name={label} accent={selected} />
      )}
      <Group component="span" gap="sm" wrap="nowrap" className="grow">
        <span className="truncate">{mark(label)}</span>
        {!!also && <span className="truncate text-secondary grow">{mark(also)}</span>}
      </Group>
      {member && <Points value={member.points_balance} dim />}
      {selected && <kbd>Enter</kbd>}
      {record && (
        <span className={`text-muted ${classes.actions}`} aria-hidden>
          <IconChevronRight size={16} stroke={1.75} />
        </span>
      )}
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

function messageFor(
  text: string,
  hits: MemberSuggestions,
  lists: ReturnType<typeof useFound>["lists"],
  empty: boolean,
  /** How many orders were searched by name, for those who can't search members. */
  ordersLooked: number | undefined,
): string {
  const failed = [{ label: "members", error: hits.error }, ...lists].filter(({ error }) => error !== null)
  if (failed[0]?.error) {
    const { title, next } = explain(failed[0].error)
    const what = `Couldn’t search ${listed(failed.map(({ label }) => label))}.`
    return [what, `${title}.`, next].filter(Boolean).join(" ")
  }
  const loading = lists.filter((list) => list.loading).map(({ label }) => label)
  if (loading.length > 0) return `Loading ${listed(loading)}…`
  if (!empty) return ""
  if (hits.searching) return "Searching members…"
  if (ordersLooked === 0) return "No results. Search by order number, or open a member by id."
  if (ordersLooked !== undefined)
    return `No order with this name in the last ${formatCount(ordersLooked)} loaded. Search by order number.`
  if (hits.tooShort) return "Type at least two letters to search."
  return `No results for “${text}”. Search covers names and e-mails, not companies.`
}

/** Says what → does, to a screen reader with each record. */
const hintId = "palette-hint"

function PaletteFooter({ hits, loading = false }: { hits?: MemberSuggestions; loading?: boolean }) {
  const waitsUntil = useRequestBudget((state) => state.nextRequestAt)
  const now = useNow("second")
  const { searching = false } = hits ?? {}
  return (
    <div className={`text-muted line-above ${classes.foot}`}>
      <Hint keys={{ Up: IconArrowUp, Down: IconArrowDown }} words="choose" />
      <Group component="span" gap="xs" visibleFrom="sm">
        <kbd>Enter</kbd> open
      </Group>
      {hits === undefined ? (
        <Hint keys={{ Left: IconArrowLeft }} words="back" />
      ) : (
        <Hint keys={{ Right: IconArrowRight }} words="actions" />
      )}
      <span id={hintId} hidden>
        Right arrow shows its actions
      </span>
      <Box component="span" ms="auto" className="l-num">
        {(searching || loading) && waitsUntil !== null && `Busy, ${secondsUntil(waitsUntil, now)} s`}
      </Box>
    </div>
  )
}

function Hint({ keys, words }: { keys: Readonly<Record<string, Icon>>; words: string }) {
  return (
    <Group component="span" gap="xs" visibleFrom="sm">
      {Object.entries(keys).map(([name, Arrow]) => (
        <kbd key={name}>
          <Arrow size={10} stroke={2.5} aria-label={name} />
        </kbd>
      ))}
      {words}
    </Group>
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
