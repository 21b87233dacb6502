/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a combobox with a listbox, and Mantine's own elements (WAI-ARIA) */
import "@mantine/core/styles/ScrollArea.layer.css"
import "@mantine/core/styles/Modal.layer.css"
import "@mantine/core/styles/Mark.layer.css"
import "@mantine/spotlight/styles.layer.css"
import { createSpotlight, Spotlight } from "@mantine/spotlight"
import { IconArrowLeft, IconChevronRight, IconSearch } from "@tabler/icons-react"
import { useRouter } from "@tanstack/react-router"
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from "react"
import { searchedText } from "../../contract/typed-text.ts"
import { useCan } from "../api/session.ts"
import { explain } from "../lib/errors.ts"
import { recordOpen } from "../lib/recent-records.ts"
import { useComposedText } from "../ui/hooks.ts"
import { IconButton } from "../ui/button.tsx"
import { Avatar, Points } from "../ui/values.tsx"
import { type PaletteGroup, type PaletteItem, usePaletteGroups } from "./palette-items.ts"
import { usePaletteText } from "./shell-state.ts"
import classes from "./palette.module.css"

const [store, spotlight] = createSpotlight()
const listId = "palette-list"
const optionId = ({ id }: PaletteItem) => `palette-${encodeURIComponent(id)}`

const focusOnMount = (input: HTMLInputElement | null) => input?.focus()
const setTyped = (text: string) => usePaletteText.setState({ text, entered: false })
const asText = (typed: string) => searchedText(typed).trim().replace(/\s+/g, " ")

/** Opens pages, actions and records by keyboard; a record's actions are one step further. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { text: typed, entered } = usePaletteText()
  const [inside, setInside] = useState<{ readonly item: PaletteItem; readonly typed: string }>()
  /** The option moved to, by its id: results that arrive later do not change it. */
  const [chosen, setChosen] = useState<{ readonly text: string; readonly id: string }>()
  const text = asText(typed)
  const groups = usePaletteGroups(text, inside?.item)
  const items = groups.flatMap((group) => group.items)
  const choice = items.find(({ id }) => chosen?.text === text && id === chosen.id)
  const current = choice ?? items[0]
  const isReady =
    choice !== undefined ||
    groups.find((group) => group.searching || group.items.length > 0)?.items.length !== 0
  const open = useOpen(onClose)
  useLayoutEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  const openCurrent = useEffectEvent(() => current && open(current))
  useEffect(() => {
    if (entered && isReady) openCurrent()
  }, [entered, isReady])
  const composed = useComposedText(typed, setTyped)
  const canSearch = useCan("members.search")
  const message = messageFor(text, groups, inside !== undefined, canSearch)
  const label =
    inside === undefined
      ? `Search ${canSearch ? "members, " : ""}orders, pages, actions`
      : `Actions for ${inside.item.label}`

  const enter = (item: PaletteItem) => {
    setInside({ item, typed })
    setTyped("")
  }
  const goBack = () => {
    if (inside === undefined) return onClose()
    setInside(undefined)
    setTyped(inside.typed)
  }
  // Spotlight moves its mark in the DOM only; the option is also announced (`aria-activedescendant`).
  const move = (step: 1 | -1) => {
    const next = (items.findIndex((item) => item === current) + step + items.length) % items.length
    const item = items[next]
    if (item === undefined) return
    setChosen({ text, id: item.id })
    document.getElementById(optionId(item))?.scrollIntoView({ block: "nearest" })
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget, nativeEvent } = event
    const { selectionStart, selectionEnd, value } = currentTarget
    const isBack = inside !== undefined && selectionEnd === 0 && (key === "ArrowLeft" || key === "Backspace")
    const isEnter = inside === undefined && selectionStart === value.length && key === "ArrowRight"
    if (nativeEvent.isComposing) return
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0
    if (key === "Escape" || isBack) goBack()
    else if (step !== 0) move(step)
    else if (isEnter && current?.record) enter(current)
    else if (key === "Enter") usePaletteText.setState({ entered: true })
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onSpotlightClose={onClose}
      closeOnActionTrigger={false}
      shortcut={null}
      scrollable
      centered={false}
      size={640}
      maxHeight="var(--palette-height)"
      yOffset="var(--palette-top)"
      classNames={classes}
      attributes={{ content: { "aria-label": "Search or jump to" } }}
    >
      <Spotlight.Search
        aria-label={label}
        placeholder={label}
        data-autofocus
        // Focused with the first paint, so that no key is lost.
        ref={focusOnMount}
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={current && optionId(current)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={composed.value}
        onChange={composed.onChange}
        onCompositionEndCapture={composed.onCompositionEnd}
        leftSection={
          inside === undefined ? (
            <IconSearch size={20} stroke={1.75} aria-hidden />
          ) : (
            <IconButton
              label="Back to the results"
              icon={<IconArrowLeft size={20} />}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={goBack}
            />
          )
        }
        rightSection={<kbd className="touch-hidden">Esc</kbd>}
        // Escape is for this field, not for a drawer below it.
        data-mantine-stop-propagation="true"
        onKeyDownCapture={press}
      />
      <Results groups={groups} current={current} onOpen={open} onEnter={enter} />
      {/* Rendered before its content, so that screen readers announce it. */}
      <output>{message !== "" && <Spotlight.Empty>{message}</Spotlight.Empty>}</output>
      <Keys isInside={inside !== undefined} />
    </Spotlight.Root>
  )
}

function Keys({ isInside }: { isInside: boolean }) {
  return (
    <Spotlight.Footer>
      <kbd>Up</kbd> <kbd>Down</kbd> choose
      <kbd>Enter</kbd> open
      <span id="palette-hint">
        <kbd>{isInside ? "Left" : "Right"}</kbd> {isInside ? "back" : "actions"}
      </span>
    </Spotlight.Footer>
  )
}

type OptionActions = Readonly<Record<"onOpen" | "onEnter", (item: PaletteItem) => void>>

function Results(
  props: OptionActions & { groups: readonly PaletteGroup[]; current: PaletteItem | undefined },
) {
  const { groups, current, ...on } = props
  return (
    <Spotlight.ActionsList id={listId} role="listbox" aria-label="Results">
      {groups.map(
        ({ label, items }) =>
          items.length > 0 && (
            <Spotlight.ActionsGroup key={label} label={label} role="group" aria-label={label}>
              {items.map((item) => (
                <Option key={item.id} item={item} selected={item === current} {...on} />
              ))}
            </Spotlight.ActionsGroup>
          ),
      )}
    </Spotlight.ActionsList>
  )
}

/** Opens an item; a drawer is for the item's member, else for the member of the page. */
function useOpen(onClose: () => void) {
  const router = useRouter()
  return ({ opens }: PaletteItem) => {
    onClose()
    if ("href" in opens) return void globalThis.open(opens.href, "_blank", "noopener,noreferrer")
    if ("to" in opens) return void router.navigate({ href: opens.to })
    const page = recordOpen(router.state)
    const memberId = opens.memberId ?? (page?.kind === "member" ? page.id : undefined)
    const drawer = { act: opens.act, for: memberId, reward_id: undefined, outcome: undefined }
    return void router.navigate({ to: ".", search: (now) => ({ ...now, ...drawer }), resetScroll: false })
  }
}

function Option(props: OptionActions & { item: PaletteItem; selected: boolean }) {
  const { item, selected, onOpen, onEnter } = props
  const { label, description = "", member, record, icon: Icon } = item
  return (
    <Spotlight.Action
      role="option"
      aria-selected={selected}
      data-selected={selected || undefined}
      aria-describedby={record && "palette-hint"}
      renderRoot={(root) => <button type="button" {...root} id={optionId(item)} />}
      label={label}
      description={description}
      highlightQuery={record !== undefined}
      leftSection={
        member ? <Avatar name={label} accent={selected} /> : <Icon size={16} stroke={1.75} aria-hidden />
      }
      rightSection={
        <>
          {member && <Points value={member.points_balance} dim />}
          {selected && <kbd className="touch-hidden">Enter</kbd>}
          {record && <IconChevronRight size={16} stroke={1.75} className={classes.enter} aria-hidden />}
        </>
      }
      onClick={({ target }) =>
        target instanceof Element && target.closest(`.${classes.enter}`) ? onEnter(item) : onOpen(item)
      }
    />
  )
}

/** Why there is nothing, or less than there could be. */
function messageFor(text: string, groups: readonly PaletteGroup[], isInside: boolean, canSearch: boolean) {
  const failed = groups.find(({ error }) => error)
  if (failed?.error) {
    const { title, next } = explain(failed.error)
    return [`Couldn’t search ${failed.label.toLowerCase()}.`, `${title}.`, next].filter(Boolean).join(" ")
  }
  if (groups.some(({ searching }) => searching)) return "Searching…"
  if (groups.some(({ items }) => items.length > 0)) return ""
  if (isInside) return "No action matches."
  return canSearch
    ? `No results for “${text}”.`
    : "No results. Search by order number, or open a member by id."
}
