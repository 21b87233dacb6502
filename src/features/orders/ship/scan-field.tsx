import { Box } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconBarcode, IconCamera, IconKeyboard } from "@tabler/icons-react"
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from "react"
import { IconButton } from "../../../ui/button.tsx"
import type { ShipDesk } from "./desk.ts"
import { currentOrder, type DeskState, isLookingUp, type Step } from "./desk-state.ts"
import { isQuestion } from "./messages.tsx"
import { type FieldListener, listenToField, type Meaning } from "./scan.ts"
import classes from "./ship.module.css"

const CameraScan = lazy(async () => ({ default: (await import("./camera-scan.tsx")).CameraScan }))

const yesOrNo = { label: "Y or N", hint: "Esc goes back", commands: "yn", alone: 160 }

/** The field's label, hint and single-key commands for each step. */
const prompts: Readonly<Record<Step["at"], Meaning & { readonly label: string; readonly hint: string }>> = {
  order: { label: "Scan the order", hint: "Enter picks the first one", commands: "us", alone: 400 },
  parcel: {
    label: "Scan the parcel",
    hint: "The carrier is detected from the number",
    commands: "us",
    alone: 400,
  },
  carrier: { ...yesOrNo, label: "Press the carrier’s number", commands: "0123456789" },
  "order-question": yesOrNo,
  "parcel-question": yesOrNo,
  "number-question": yesOrNo,
}

/** The only field of the ship desk: receives every scan and key press on the page. */
export function ScanField({ desk: { dispatch }, state }: { desk: ShipDesk; state: DeskState }) {
  const { step } = state
  const busy = isLookingUp(state)
  const { label: byKey, hint, ...meaning } = prompts[step.at]
  const touch = useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false })
  const byFinger = step.at === "carrier" ? "Choose the carrier" : "Choose an answer"
  const label = touch && isQuestion(step) ? byFinger : byKey
  const field = useRef<HTMLInputElement>(null)
  const [byHand, setByHand] = useState(false)
  const hasCamera = useHasCamera()
  const [byCamera, setByCamera] = useState(false)
  const onByHand = () => setByHand((before) => !before)
  const listener = useEffectEvent((): FieldListener => ({
    // Letters typed by hand are text, not commands.
    meaning: byHand && !isQuestion(step) ? { commands: "", alone: 0 } : meaning,
    onRead(read) {
      if (read.type !== "command") setByHand(false)
      dispatch({ type: "scan", read })
    },
    onEmptyEnter() {
      // A pending order lookup already answers the Enter.
      if (step.at === "order" && !busy) dispatch({ type: "next" })
    },
    onEscape: () => dispatch({ type: "escape" }),
    onByHand,
  }))
  useEffect(() => {
    const input = field.current
    return input === null ? undefined : listenToField(input, () => listener())
  }, [])
  useKeepFocus(field)
  const orderId = currentOrder(step)?.id
  // On a narrow page the focused field is out of sight when an order far down in the queue was chosen.
  useEffect(() => {
    if (orderId !== undefined) field.current?.scrollIntoView({ block: "nearest" })
  }, [orderId])
  useEffect(() => {
    // Shows a tablet's keyboard only on request: the scanner acts as one.
    if (byHand) field.current?.focus()
  }, [byHand])
  return (
    <>
      <div className={classes.scan}>
        <IconBarcode
          size={40}
          stroke={1.5}
          aria-hidden
          className="phone-hidden"
          color="var(--l-accent-mark)"
        />
        <input
          ref={field}
          className={`grow ${classes.field}`}
          aria-label={label}
          aria-describedby="ship-hint"
          placeholder={busy ? "Looking it up…" : label}
          inputMode={byHand ? "text" : "none"}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
        />
        <Box component="span" id="ship-hint" visibleFrom="lg" className="text-muted" maw={160} ta="end">
          {byHand ? "Type it, then press Enter" : hint}
        </Box>
        <IconButton
          label="Enter manually"
          size="xl"
          variant="default"
          aria-pressed={byHand}
          icon={<IconKeyboard size={20} stroke={1.75} />}
          onClick={onByHand}
        />
        {(hasCamera || byCamera) && (
          <IconButton
            label="Scan with the camera"
            size="xl"
            variant="default"
            aria-pressed={byCamera}
            icon={<IconCamera size={20} stroke={1.75} />}
            onClick={() => setByCamera(!byCamera)}
          />
        )}
      </div>
      {byCamera && (
        <Suspense>
          <CameraScan
            onRead={(text) => dispatch({ type: "scan", read: { type: "text", text, by: "scanner" } })}
          />
        </Suspense>
      )}
    </>
  )
}

/** Whether there is a camera to scan with; details stay unknown until the user grants access. */
function useHasCamera(): boolean {
  const [has, setHas] = useState(false)
  useEffect(() => {
    // Undefined outside a secure context, whatever the types say.
    const devices: MediaDevices | undefined = navigator.mediaDevices
    if (devices === undefined) return undefined
    const look = () =>
      void devices.enumerateDevices().then((all) => setHas(all.some(({ kind }) => kind === "videoinput")))
    look()
    devices.addEventListener("devicechange", look)
    return () => devices.removeEventListener("devicechange", look)
  }, [])
  return has
}

/** Elements that keep their own key presses: fields and overlays. */
const keeps = "input, textarea, select, [contenteditable], [role=dialog], dialog, [data-keeps-focus]"

// Keeps the focus in the field: initially, when the window regains focus, after a click on the page, and for key
// presses that no other element handles. Tab still reaches every control.
function useKeepFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const toField = () => field.current?.focus({ preventScroll: true })
    // Deferred: a click ends by focusing its target.
    const focus = () =>
      setTimeout(() => {
        const { activeElement: active } = document
        const covered = document.querySelector("[role=dialog], dialog[open]") !== null
        const taken = active instanceof HTMLElement && active !== field.current && active.matches(keeps)
        if (!covered && !taken) toField()
      })
    const onKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
      if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return
      if (!(target instanceof Element && target.closest(keeps) !== null)) toField()
    }
    const onClick = ({ target }: MouseEvent) => {
      const main = field.current?.closest("main")
      if (!(target instanceof Element) || main?.contains(target) !== true) return
      if (target.closest(`${keeps}, a`) === null && getSelection()?.isCollapsed !== false) focus()
    }
    focus()
    document.addEventListener("keydown", onKey, { capture: true, signal })
    document.addEventListener("click", onClick, { signal })
    window.addEventListener("focus", focus, { signal })
    return () => listening.abort()
  }, [field])
}
