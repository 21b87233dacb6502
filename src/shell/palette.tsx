import { IconArrowLeft, IconSearch } from "@tabler/icons-react"
import { Suspense, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react"
import { searchedText } from "../../contract/typed-text.ts"
import { useCan } from "../api/session.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { useComposedText } from "../ui/hooks.ts"
import { fetchedPart, NotLoaded } from "./lazy-pages.tsx"
import { useShellOverlay } from "./shell-state.ts"
import type { RecordItem } from "./palette-items.ts"
import type { PaletteKeys } from "./palette-results.tsx"
import classes from "./palette.module.css"

const PaletteResults = fetchedPart(
  async () => (await import("./palette-results.tsx")).PaletteResults,
  NotLoaded,
)

const listId = "palette-list"

const close = () => useShellOverlay.setState({ overlay: null })

/**
 * Search and jump by keyboard: records, with what can be done with each one step further, actions and pages. The field is part of the shell and takes the focus in the moment
 * it opens, so that no key is lost while the results are still being fetched; an Enter in that time waits for them.
 */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const keys = useRef<PaletteKeys>(null)
  const [typed, setTyped] = useState("")
  const [hurried, setHurried] = useState<string | null>(null)
  const [current, setCurrent] = useState<string>()
  /** The record whose actions are shown, and what was typed to find it. */
  const [inside, setInside] = useState<{ readonly record: RecordItem; readonly typed: string }>()
  const whole = useCan("members.search")
    ? "Search members, orders, pages, actions"
    : "Search orders, pages, actions"
  const placeholder = inside === undefined ? whole : `Actions for ${inside.record.label}`
  const text = searchedText(typed).trim().replace(/\s+/g, " ")

  useLayoutEffect(() => {
    const box = dialog.current
    box?.showModal()
    input.current?.focus()
    // Closing it, unlike taking it away, gives the focus back to where it was.
    return () => box?.close()
  }, [])

  const type = (words: string) => {
    setTyped(words)
    setHurried(null)
  }
  const composed = useComposedText(typed, type)
  const enterRecord = (record: RecordItem) => {
    setInside({ record, typed })
    type("")
    input.current?.focus()
  }
  const goBack = () => {
    if (inside === undefined) return close()
    setInside(undefined)
    type(inside.typed)
    input.current?.focus()
  }

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const isAtStart = inside !== undefined && selectionEnd === 0
    const isAtEnd = inside === undefined && selectionStart === value.length
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      keys.current?.step(step)
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (keys.current === null) setHurried(text)
      else keys.current.enter()
    } else if (event.key === "ArrowRight" && isAtEnd) {
      if (keys.current?.act() === true) event.preventDefault()
    } else if (event.key === "Escape" || (isAtStart && ["ArrowLeft", "Backspace"].includes(event.key))) {
      event.preventDefault()
      goBack()
    }
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click beside it closes it, as Escape does
    <dialog
      ref={dialog}
      aria-label="Search or jump to"
      className={classes.root}
      onCancel={(event) => {
        event.preventDefault()
        goBack()
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <div className={classes.content}>
        <div className={`line-below ${classes.search}`}>
          {inside === undefined ? (
            <IconSearch size={20} stroke={1.75} aria-hidden className="text-muted" />
          ) : (
            <IconButton label="Back to the results" icon={<IconArrowLeft size={20} />} onClick={goBack} />
          )}
          <input
            ref={input}
            className={`grow ${classes.input}`}
            {...composed}
            placeholder={placeholder}
            aria-label={placeholder}
            role="combobox"
            aria-expanded
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={current}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            // Escape is for this field, not for a drawer below it.
            data-mantine-stop-propagation="true"
            onKeyDown={press}
          />
          <kbd>Esc</kbd>
        </div>
        <Suspense>
          <PaletteResults
            id={listId}
            record={inside?.record}
            text={text}
            hurried={hurried === text}
            keys={keys}
            onHurry={() => setHurried(text)}
            onCurrent={setCurrent}
            onAct={enterRecord}
          />
        </Suspense>
      </div>
    </dialog>
  )
}
