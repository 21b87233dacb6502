/* oxlint-disable jsx-a11y/prefer-tag-over-role -- options with two lines and a picture have no matching tag */
import { TextInput, type TextInputProps } from "@mantine/core"
import { useMergedRef } from "@mantine/hooks"
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react"
import type { Member } from "../../contract/program/member.ts"
import { explain } from "../lib/errors.ts"
import { formatPoints } from "../lib/format.ts"
import { fullName } from "../lib/names.ts"
import { useComposedText } from "../ui/hooks.ts"
import { Avatar, NameAndAbout } from "../ui/values.tsx"
import { type MemberSuggestions, useMemberSuggestions } from "./member-suggestions.ts"
import classes from "./picker.module.css"

interface TypeAheadProps<T> {
  label: string
  text: string
  onText: (text: string) => void
  options: readonly T[]
  open: boolean
  /** More options for this text may arrive: an Enter pressed now selects the only one, if there is one. */
  searching?: boolean
  idOf: (option: T) => string
  draw: (option: T) => ReactNode
  onPick: (option: T) => void
  listLabel: string
  message?: string
  field?: Pick<
    TextInputProps,
    "placeholder" | "error" | "required" | "onFocus" | "onBlur" | "name" | "disabled"
  > & { ref?: Ref<HTMLInputElement>; "data-autofocus"?: boolean }
}

const arrowSteps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Selects an option by typing part of it. The list and the message float at the field while it is focused, so that
 * nothing moves under a click.
 */
export function TypeAhead<T>(props: TypeAheadProps<T>) {
  const { options, open, idOf, onPick, searching = false, field = {} } = props
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const [isAway, setAway] = useState(true)
  const [hurried, setHurried] = useState<string>()
  const shown = open && !isAway ? options : []
  const floats = shown.length > 0 || (!isAway && !!props.message)
  // A hint at an empty field does not capture Escape.
  const takesEscape = shown.length > 0 || (floats && props.text !== "")
  const position = Math.min(at, shown.length - 1)
  const current = shown[position]
  const domId = (option: T) => `${list}-${encodeURIComponent(idOf(option))}`

  useLayoutEffect(() => {
    // CSS positions it at the source.
    if (floats && input.current !== null) panel.current?.showPopover({ source: input.current })
    else panel.current?.hidePopover()
  }, [floats])

  const composed = useComposedText(props.text, (text) => {
    props.onText(text)
    setHurried(undefined)
    setAt(0)
    setAway(false)
  })
  const pickOnly = useEffectEvent(() => {
    const [only, ...more] = options
    if (only !== undefined && more.length === 0) onPick(only)
  })
  const isDue = hurried !== undefined && hurried === props.text && !searching
  useEffect(() => {
    if (isDue) pickOnly()
  }, [isDue])
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = arrowSteps[event.key] ?? 0
    if (step !== 0) setAway(false)
    if (event.key === "Escape" && takesEscape) {
      // The first Escape closes the list, the next one the drawer or panel.
      event.preventDefault()
      event.stopPropagation()
      setAway(true)
    }
    const chooses = event.key === "Enter" && !event.ctrlKey && !event.metaKey
    if (current !== undefined ? step === 0 && !chooses : !chooses || !searching) return
    event.preventDefault()
    if (current === undefined) return setHurried(props.text)
    if (chooses) return onPick(current)
    const next = (position + step + shown.length) % shown.length
    setAt(next)
    panel.current?.querySelectorAll("[role=option]")[next]?.scrollIntoView({ block: "nearest" })
  }

  return (
    <>
      <TextInput
        {...field}
        ref={useMergedRef(input, field.ref)}
        data-mantine-stop-propagation={takesEscape}
        miw={0}
        size="md"
        label={props.label}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : domId(current)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        {...composed}
        onFocus={(event) => {
          field.onFocus?.(event)
          setAway(false)
        }}
        onBlur={(event) => {
          field.onBlur?.(event)
          setAway(true)
        }}
        onClick={() => setAway(false)}
        onKeyDown={press}
      />
      <div
        ref={panel}
        role="presentation"
        // Tab skips the scrollable list.
        tabIndex={-1}
        popover="manual"
        className={classes.suggestions}
        // The field keeps the focus, so that blur does not close the list before the click.
        onMouseDown={(event) => event.preventDefault()}
      >
        <OptionList
          id={list}
          label={props.listLabel}
          options={shown}
          position={position}
          idOf={idOf}
          domId={domId}
          draw={props.draw}
          onPick={onPick}
          onPoint={setAt}
        />
        <div className="hide-empty caption" aria-hidden>
          {props.message}
        </div>
      </div>
      {/* Announced from here, because content that appears with a popover is not. */}
      <output className="visually-hidden">{floats && props.message}</output>
    </>
  )
}

function OptionList<T>(props: {
  id: string
  label: string
  options: readonly T[]
  /** The index of the active option. */
  position: number
  idOf: (option: T) => string
  domId: (option: T) => string
  draw: (option: T) => ReactNode
  onPick: (option: T) => void
  onPoint: (index: number) => void
}) {
  return (
    <div role="listbox" id={props.id} aria-label={props.label} className="hide-empty">
      {props.options.map((option, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
        <div
          key={props.idOf(option)}
          id={props.domId(option)}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.position}
          className={classes.option}
          onClick={() => props.onPick(option)}
          onPointerMove={() => props.onPoint(index)}
        >
          {props.draw(option)}
        </div>
      ))}
    </div>
  )
}

/** Selects a member by part of a name or e-mail, `except` one by id. */
export function MemberPicker(props: { label: string; except?: string; onPick: (member: Member) => void }) {
  const { label, except, onPick } = props
  const [typed, setTyped] = useState("")
  const text = typed.trim().replace(/\s+/g, " ")
  const suggested = useMemberSuggestions(text)
  const found = { ...suggested, members: suggested.members.filter(({ id }) => id !== except) }
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
