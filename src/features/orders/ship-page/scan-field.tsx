import { IconBarcode, IconKeyboard } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import { meaningAt, type ShipFlow } from "../ship/flow/ship-flow.ts"
import type { FlowState } from "../ship/flow/flow-state.ts"
import { IconButton } from "../../../ui/icon-button.tsx"
import classes from "./scan-field.module.css"
import { listenToField, type FieldListener } from "./listen-to-field.ts"
import { fieldHint, fieldWords } from "./step-words.ts"
import { useKeepFocus } from "./use-keep-focus.ts"

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
        aria-label={fieldWords(step)}
        aria-describedby="ship-hint"
        placeholder={busy === null ? fieldWords(step) : "Looking it up…"}
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
