import { parcelNumber } from "../../../../contract/parcel-number.ts"
import { exactText } from "../../../../contract/typed-text.ts"

/** A scan as it is meant: a label's number, without invisible characters, the kind of barcode (`]C1`) and space around it. */
export function cleanScan(text: string): string {
  return parcelNumber(parcelNumber(text).replace(/[\p{Cc}\p{Cf}]/gu, ""))
}

// In ms. Between two keys of one scan: no hand types like this.
const fast = 50
// After the last key of a scan that ends by itself.
const quiet = 200
// A burst this soon after a scan that ended by itself is the rest of it: nobody scans twice so fast.
const rest = 300
// After a pause like this a scan is not the same writing as what stands before it.
const longPause = 300
/** Characters of the shortest scan that is known without an Enter. */
export const shortestScan = 6

export type FieldEvent = Readonly<
  /** One character was added; `held`: by a key that is held down. */
  | { type: "char"; char: string; at: number; held?: boolean }
  /** The text was changed in another way: a deletion, something pasted. */
  | { type: "edit"; text: string; at: number }
  /** `end`: Enter or Tab; `look`: the time that `nextCheck` named has come. */
  | { type: "end" | "look"; at: number }
>

/**
 * What was read: a whole text, or one key alone that means something at this step. `mixed`: a scan that began while
 * something typed stood in the field, so nobody can tell where it begins; `broken`: the rest of a scan that was taken as
 * whole a moment ago, so what was made of its beginning is wrong.
 */
export type Read = Readonly<
  | { type: "text"; text: string; by: "scanner" | "hand" }
  | { type: "command"; key: string }
  | { type: "mixed" | "broken"; text: string }
>

/** Characters that are commands at this step when they stay alone for so long, in ms. */
export interface Meaning {
  readonly commands: string
  readonly alone: number
}

export const nothingRead = {
  text: "",
  /** Where the run of fast characters begins that the text ends with. */
  run: 0,
  /** A hand was at it: a deletion, a held key, something pasted. */
  edited: false,
  /** The run came after a pause while something stood in the field. */
  late: false,
  lastAt: -Infinity,
  /** When the last scan ended by itself; −Infinity when the last text ended with a key. */
  cutAt: -Infinity,
  /** This text began so soon after it that it is the rest of it. */
  remainder: false,
}
type Reading = Readonly<typeof nothingRead>

interface ReadingStep {
  readonly reading: Reading
  readonly read?: Read | undefined
}

/**
 * Reads what a scanner and a hand write into one field. A scan ends with Enter or Tab, or, when the scanner sends
 * neither, by the silence after characters that came faster than a hand types. By hand only Enter ends a text.
 */
export function readField(reading: Reading, event: FieldEvent, meaning: Meaning): ReadingStep {
  const { at } = event
  if (event.type === "char") return { reading: withChar(reading, event.char, at, event.held === true) }
  if (event.type === "edit") {
    const { text } = event
    if (text === "") return { reading: nothingRead }
    return { reading: { ...reading, text, run: text.length, edited: true, lastAt: at } }
  }
  return event.type === "end" ? ended(reading) : looked(reading, at, meaning)
}

/** When to look again whether something has ended by itself; null: it waits for a key. */
export function nextCheck(reading: Reading, meaning: Meaning): number | null {
  if (reading.text === "") return null
  if (reading.remainder) return reading.lastAt + quiet
  if (reading.edited) return null
  if (isCommand(reading, meaning)) return reading.lastAt + meaning.alone
  return isRun(reading) ? reading.lastAt + quiet : null
}

function withChar(reading: Reading, char: string, at: number, held: boolean): Reading {
  const text = reading.text + char
  const gap = at - reading.lastAt
  const first = reading.text === ""
  const begun = first || gap > fast || held
  return {
    text,
    run: begun ? text.length - char.length : reading.run,
    edited: reading.edited || held,
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
  // Its beginning came slowly: a scanner that hesitates, or a scan on top of something typed. Enter can tell.
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
  /** Escape while nothing stands in the field; else it only empties the field. */
  readonly onEscape: () => void
  readonly onByHand: () => void
}

/** Reads what is written into a field, by when its keys came; `listener` is asked at each event. Returns what stops it. */
export function listenToField(field: HTMLInputElement, listener: () => FieldListener): () => void {
  let reading = nothingRead
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = -Infinity
  /** The key that the next change of the field comes from: its time is the keyboard's own. */
  let pressed: { readonly key: string; readonly at: number; readonly held: boolean } | undefined

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
    // Counted from now: on a busy machine a key reaches the page long after it was pressed, and the next one later still.
    // One that seems later than a second has a clock of its own.
    const late = Math.max(0, Math.min(performance.now() - event.at, 1000))
    if (due !== null) timer = setTimeout(() => lookSoon(due), due - event.at + 2 * late)
  }

  /** Once more later: keys that wait for the page already come first. */
  function lookSoon(at: number): void {
    timer = setTimeout(() => take({ type: "look", at }))
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const { timeStamp: at, repeat: held } = event
    const empty = field.value === ""
    if (event.ctrlKey && event.key === "]") {
      // How scanners send the separator between the parts of a label's barcode.
      event.preventDefault()
      field.value += separator
      take({ type: "char", char: separator, at, held })
      return
    }
    const { key } = event
    pressed = { key, at, held }
    if (!["Enter", "Tab", "Escape", "F2"].includes(key) || (key === "Tab" && empty)) return
    event.preventDefault()
    if (key === "F2") listener().onByHand()
    else if (key === "Escape") {
      if (empty) listener().onEscape()
      clearTimeout(timer)
      reading = nothingRead
      field.value = ""
    } else if (empty) {
      // Some scanners end a code with two Enters: the second one asks for nothing.
      if (!held && at - readAt > rest) listener().onEmptyEnter()
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
    // Some scanners write the whole code at once, as a keyboard app does.
    const added = text.slice(reading.text.length)
    const at = own?.key === added ? own.at : event.timeStamp
    for (const char of added) take({ type: "char", char, at, held: own?.key === added && own.held })
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
