import { IconBarcode, IconKeyboard } from "@tabler/icons-react"
import { type RefObject, useEffect, useRef, useState } from "react"
import type { FlowState } from "./flow-state.ts"
import { meaningAt, type ShipFlow } from "./flow.ts"
import { fieldHint, fieldLabel } from "./messages.tsx"
import { type FieldListener, listenToField } from "./scan.ts"
import { IconButton } from "../../../ui/icon-button.tsx"
import classes from "./ship.module.css"

/** Letters are what they are: nothing but text. */
const onlyText = { commands: "", alone: 0 }

/** The one field of the ship desk: whatever is scanned or typed anywhere on the page comes here. */
export function ScanField({ flow, state }: { flow: ShipFlow; state: FlowState }) {
  const { step, busy } = state
  const field = useRef<HTMLInputElement>(null)
  const [byHand, setByHand] = useState(false)
  const asks = step.at !== "order" && step.at !== "parcel"
  const listener: FieldListener = {
    meaning: byHand && !asks ? onlyText : meaningAt(step),
    onRead(read) {
      if (read.type !== "command") setByHand(false)
      flow.take(read)
    },
    onEmptyEnter() {
      if (step.at === "order") flow.next()
    },
    onEscape: flow.escape,
    onByHand: () => setByHand((before) => !before),
  }
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const input = field.current
    return input === null ? undefined : listenToField(input, () => latest.current)
  }, [])
  useKeepFocus(field)
  useEffect(() => {
    // A tablet shows its keyboard only when it is asked for: the scanner is one already.
    if (byHand) field.current?.focus()
  }, [byHand])
  return (
    <div className={classes.scan} data-busy={busy !== null || undefined}>
      <IconBarcode size={40} stroke={1.5} aria-hidden className={classes.icon} />
      <input
        ref={field}
        className={classes.field}
        aria-label={fieldLabel(step)}
        aria-describedby="ship-hint"
        placeholder={busy === null ? fieldLabel(step) : "Looking it up…"}
        inputMode={byHand ? "text" : "none"}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
      />
      <span id="ship-hint" className={classes.hint}>
        {byHand ? "Type it, then press Enter" : fieldHint(step)}
      </span>
      <span className={classes.touch}>
        <IconButton
          label="Enter manually"
          size="xl"
          outlined
          aria-pressed={byHand}
          icon={<IconKeyboard size={20} stroke={1.75} />}
          onClick={() => setByHand((before) => !before)}
        />
      </span>
    </div>
  )
}

/** What keeps what is typed: fields, and whatever lies over the page. */
const keeps = "input, textarea, select, [contenteditable], [role=dialog], dialog, [data-keeps-focus]"

/**
 * Keeps the focus in the field: at first, when the window comes back, after a click on the page, and for whatever is
 * typed while nothing else takes it. Tab still leads to every control.
 */
function useKeepFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = () => {
      // In a moment: a click ends with the focus on what was clicked.
      setTimeout(() => {
        const { activeElement: active } = document
        const inTheWay = document.querySelector("[role=dialog], dialog[open]") !== null
        const taken = active instanceof HTMLElement && active !== field.current && active.matches(keeps)
        if (!inTheWay && !taken) field.current?.focus({ preventScroll: true })
      })
    }
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (target instanceof Element && target.closest(keeps) !== null) return
      field.current?.focus({ preventScroll: true })
    }
    const onClick = ({ target }: MouseEvent) => {
      const main = field.current?.closest("main")
      if (!(target instanceof Element) || main?.contains(target) !== true) return
      if (target.closest(`${keeps}, a`) !== null || getSelection()?.isCollapsed === false) return
      focus()
    }
    focus()
    document.addEventListener("keydown", onKey, true)
    document.addEventListener("click", onClick)
    window.addEventListener("focus", focus)
    return () => {
      document.removeEventListener("keydown", onKey, true)
      document.removeEventListener("click", onClick)
      window.removeEventListener("focus", focus)
    }
  }, [field])
}
