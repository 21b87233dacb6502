import { trackingText } from "../../../../contract/tracking-number.ts"
import { exactText } from "../../../../contract/typed-text.ts"

/**
 * A cleaned scan: a label's number without invisible characters, symbology identifier (`]C1`) and surrounding space.
 */
export function cleanScan(text: string): string {
  return trackingText(trackingText(text).replace(/[\p{Cc}\p{Cf}]/gu, ""))
}

// In ms. Maximum gap between two keys of one scan: no hand types like this.
const fast = 50
// Silence after the last key of a scan that sends no Enter.
const quiet = 200
// A burst this soon after a scan without Enter is the rest of it: two scans take longer.
const rest = 300
// After a pause like this, a scan is separate from the text before it.
const longPause = 300
/** Length of the shortest scan that is recognised without an Enter. */
export const shortestScan = 6

export type FieldEvent = Readonly<
  /** One character was added; `repeated`: the key is held down. */
  | { type: "char"; char: string; at: number; repeated?: boolean }
  /** The text changed in another way: a deletion or a paste. */
  | { type: "edit"; text: string; at: number }
  /** `end`: Enter or Tab; `look`: the check that `nextCheck` scheduled. */
  | { type: "end" | "look"; at: number }
>

/**
 * A result: a complete text, or a single key that is a command at this step. `mixed`: a scan that began after typed
 * text, so its start is unknown; `broken`: the rest of a scan whose first part was already returned, so that result
 * is wrong.
 */
export type Read = Readonly<
  | { type: "text"; text: string; by: "scanner" | "hand" }
  | { type: "command"; key: string }
  | { type: "mixed" | "broken"; text: string }
>

/** Characters that are commands at this step when nothing follows within `alone` ms. */
export interface Meaning {
  readonly commands: string
  readonly alone: number
}

export const nothingRead = {
  text: "",
  /** Start of the run of fast characters at the end of the text. */
  run: 0,
  /** Edited by hand: a deletion, a held key or a paste. */
  edited: false,
  /** The run came after a pause while the field already had text. */
  late: false,
  lastAt: -Infinity,
  /** When the last scan ended by silence; −Infinity when the last text ended with a key. */
  cutAt: -Infinity,
  /** This text began so soon after `cutAt` that it is the rest of that scan. */
  remainder: false,
}
type Reading = Readonly<typeof nothingRead>

interface ReadingStep {
  readonly reading: Reading
  readonly read?: Read | undefined
}

/**
 * Reads scans and typing in one field. A scan ends with Enter or Tab or, when the scanner sends neither, with a
 * silence after characters that came faster than typing. Typed text ends only with Enter.
 */
export function readField(reading: Reading, event: FieldEvent, meaning: Meaning): ReadingStep {
  const { at } = event
  if (event.type === "char") return { reading: withChar(reading, event.char, at, event.repeated === true) }
  if (event.type === "edit") {
    const { text } = event
    if (text === "") return { reading: nothingRead }
    return { reading: { ...reading, text, run: text.length, edited: true, lastAt: at } }
  }
  return event.type === "end" ? ended(reading) : looked(reading, at, meaning)
}

/** When to check next whether a text has ended by silence; null: it waits for a key. */
export function nextCheck(reading: Reading, meaning: Meaning): number | null {
  if (reading.text === "") return null
  if (reading.remainder) return reading.lastAt + quiet
  if (reading.edited) return null
  if (isCommand(reading, meaning)) return reading.lastAt + meaning.alone
  return isRun(reading) ? reading.lastAt + quiet : null
}

function withChar(reading: Reading, char: string, at: number, repeated: boolean): Reading {
  const text = reading.text + char
  const gap = at - reading.lastAt
  const first = reading.text === ""
  const begun = first || gap > fast || repeated
  return {
    text,
    run: begun ? text.length - char.length : reading.run,
    edited: reading.edited || repeated,
    late: begun ? !first && gap > longPause : reading.late,
    lastAt: at,
    cutAt: reading.cutAt,
    remainder: first ? at - reading.cutAt <= rest : reading.remainder,
  }
}

function ended(reading: Reading): ReadingStep {
  const { text, remainder, late } = reading
  const empty = { reading: nothingRead }
  if (text.trim() === "") return empty
  if (remainder) return { ...empty, read: { type: "broken", text } }
  if (late && isRun(reading)) return { ...empty, read: { type: "mixed", text } }
  return { ...empty, read: { type: "text", text: exactText(text), by: isScan(reading) ? "scanner" : "hand" } }
}

function looked(reading: Reading, at: number, meaning: Meaning): ReadingStep {
  const due = nextCheck(reading, meaning)
  if (due === null || at < due) return { reading }
  const { text } = reading
  const empty = { reading: nothingRead }
  const cut = { reading: { ...nothingRead, cutAt: reading.lastAt } }
  if (isCommand(reading, meaning)) return { ...empty, read: { type: "command", key: text.toLowerCase() } }
  if (reading.remainder) return { ...cut, read: { type: "broken", text } }
  if (isScan(reading)) return { ...cut, read: { type: "text", text: exactText(text), by: "scanner" } }
  // It started slowly: a scanner that hesitates, or a scan on top of typed text. Enter can tell them apart.
  return reading.late ? { ...empty, read: { type: "mixed", text } } : { reading }
}

const isRun = ({ text, run }: Reading) => text.length - run >= shortestScan

const isScan = (reading: Reading) => reading.run === 0 && !reading.edited && isRun(reading)

const isCommand = ({ text, remainder }: Reading, { commands }: Meaning) =>
  text.length === 1 && !remainder && commands.includes(text.toLowerCase())

const separator = "\u001D"

export interface FieldListener {
  readonly meaning: Meaning
  readonly onRead: (read: Read) => void
  readonly onEmptyEnter: () => void
  /** Escape in an empty field; otherwise it only clears the field. */
  readonly onEscape: () => void
  readonly onByHand: () => void
}

/**
 * Reads scans and typing in a field by the timing of its keys; `listener` is called at each event. Returns a function
 * that stops it.
 */
export function listenToField(field: HTMLInputElement, listener: () => FieldListener): () => void {
  let reading = nothingRead
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = -Infinity
  /** The key that causes the next input event: its timestamp is the keyboard's. */
  let pressed: { readonly key: string; readonly at: number; readonly repeated: boolean } | undefined

  function take(event: FieldEvent): void {
    const { meaning, onRead } = listener()
    const step = readField(reading, event, meaning)
    reading = step.reading
    clearTimeout(timer)
    if (step.read !== undefined) {
      readAt = event.at
      field.value = reading.text
      onRead(step.read)
    }
    const due = nextCheck(reading, meaning)
    // Measured from now: on a busy machine key events reach the page late, the next one even later. A delay of more
    // than a second means a different clock.
    const late = Math.max(0, Math.min(performance.now() - event.at, 1000))
    if (due !== null) timer = setTimeout(() => lookSoon(due), due - event.at + 2 * late)
  }

  /** Deferred again: key events that are already queued come first. */
  function lookSoon(at: number): void {
    timer = setTimeout(() => take({ type: "look", at }))
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const { timeStamp: at, repeat: repeated } = event
    const empty = field.value === ""
    if (event.ctrlKey && event.key === "]") {
      // Scanners send the separator between the parts of a label's barcode like this.
      event.preventDefault()
      field.value += separator
      take({ type: "char", char: separator, at, repeated })
      return
    }
    const { key } = event
    pressed = { key, at, repeated }
    if (!["Enter", "Tab", "Escape", "F2"].includes(key) || (key === "Tab" && empty)) return
    event.preventDefault()
    if (key === "F2") listener().onByHand()
    else if (key === "Escape") {
      if (empty) listener().onEscape()
      clearTimeout(timer)
      reading = nothingRead
      field.value = ""
    } else if (empty) {
      // Some scanners end a code with two Enters: ignore the second.
      if (!repeated && at - readAt > rest) listener().onEmptyEnter()
    } else take({ type: "end", at })
  }

  function onInput(event: Event): void {
    if (event instanceof InputEvent && event.isComposing) return
    const own = pressed
    pressed = undefined
    const text = field.value
    const typed = !(event instanceof InputEvent) || event.inputType === "insertText"
    if (!typed || !text.startsWith(reading.text) || text === reading.text) {
      take({ type: "edit", text, at: event.timeStamp })
      return
    }
    // Some scanners insert the complete code in one event, as a keyboard app does.
    const added = text.slice(reading.text.length)
    const at = own?.key === added ? own.at : event.timeStamp
    for (const char of added) take({ type: "char", char, at, repeated: own?.key === added && own.repeated })
  }

  function onComposed({ timeStamp: at }: Event): void {
    pressed = undefined
    take({ type: "edit", text: field.value, at })
  }

  const listening = new AbortController()
  field.addEventListener("keydown", onKey, listening)
  field.addEventListener("input", onInput, listening)
  field.addEventListener("compositionend", onComposed, listening)
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
