import { Box } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconBarcode, IconCamera, IconKeyboard } from "@tabler/icons-react"
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from "react"
import { IconButton } from "../../../ui/icon-button.tsx"
import { currentOrder, type FlowState, type Step } from "./flow-state.ts"
import type { ShipFlow } from "./flow.ts"
import { isQuestion } from "./messages.tsx"
import { type FieldListener, listenToField, type Meaning } from "./scan.ts"
import classes from "./ship.module.css"

const CameraScan = lazy(async () => ({ default: (await import("./camera-scan.tsx")).CameraScan }))

const yesOrNo = { label: "Y or N", hint: "Esc goes back", commands: "yn", alone: 160 }

/** What the field asks for at each step, the help at its end, and what single keys mean. */
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

/** The one field of the ship desk: whatever is scanned or typed anywhere on the page comes here. */
export function ScanField({ flow, state: { step, busy } }: { flow: ShipFlow; state: FlowState }) {
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
    // By hand letters are nothing but text.
    meaning: byHand && !isQuestion(step) ? { commands: "", alone: 0 } : meaning,
    onRead(read) {
      if (read.type !== "command") setByHand(false)
      flow.take(read)
    },
    onEmptyEnter() {
      // An order that is looked up is the one that was asked for.
      if (step.at === "order" && busy === null) flow.next()
    },
    onEscape: flow.escape,
    onByHand,
  }))
  useEffect(() => {
    const input = field.current
    return input === null ? undefined : listenToField(input, () => listener())
  }, [])
  useKeepFocus(field)
  const orderId = currentOrder(step)?.id
  // One chosen far down in the queue: on a narrow page the field that has the focus is out of sight there.
  useEffect(() => {
    if (orderId !== undefined) field.current?.scrollIntoView({ block: "nearest" })
  }, [orderId])
  useEffect(() => {
    // A tablet shows its keyboard only when it is asked for: the scanner is one already.
    if (byHand) field.current?.focus()
  }, [byHand])
  return (
    <>
      <div className={classes.scan}>
        <IconBarcode size={40} stroke={1.5} aria-hidden />
        <input
          ref={field}
          className={`grow ${classes.field}`}
          aria-label={label}
          aria-describedby="ship-hint"
          placeholder={busy === null ? label : "Looking it up…"}
          inputMode={byHand ? "text" : "none"}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
        />
        <Box
          component="span"
          id="ship-hint"
          visibleFrom="lg"
          className="text-muted"
          maw={160}
          lh="18px"
          ta="end"
        >
          {byHand ? "Type it, then press Enter" : hint}
        </Box>
        <span className={classes.touch}>
          <IconButton
            label="Enter manually"
            size="md"
            variant="default"
            aria-pressed={byHand}
            icon={<IconKeyboard size={20} stroke={1.75} />}
            onClick={onByHand}
          />
        </span>
        {(hasCamera || byCamera) && (
          <IconButton
            label="Scan with the camera"
            size="md"
            variant="default"
            aria-pressed={byCamera}
            icon={<IconCamera size={20} stroke={1.75} />}
            onClick={() => setByCamera(!byCamera)}
          />
        )}
      </div>
      {byCamera && (
        <Suspense>
          <CameraScan onRead={(text) => flow.take({ type: "text", text, by: "scanner" })} />
        </Suspense>
      )}
    </>
  )
}

/** Whether there is a camera to scan with; which one, and its picture, stay unknown until a person allows it. */
function useHasCamera(): boolean {
  const [has, setHas] = useState(false)
  useEffect(() => {
    // Absent outside a secure page, whatever the types say.
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

/** What keeps what is typed: fields, and whatever lies over the page. */
const keeps = "input, textarea, select, [contenteditable], [role=dialog], dialog, [data-keeps-focus]"

// Keeps the focus in the field: at first, when the window comes back, after a click on the page, and for whatever is
// typed while nothing else takes it. Tab still leads to every control.
function useKeepFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const toField = () => field.current?.focus({ preventScroll: true })
    // In a moment: a click ends with the focus on what was clicked.
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
