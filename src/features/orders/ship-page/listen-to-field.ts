import {
  nextLook,
  nothingRead,
  readField,
  type FieldEvent,
  type Meaning,
  type Read,
} from "../ship/scan/reading.ts"

/** What the field's events lead to. */
export interface FieldListener {
  readonly meaning: Meaning
  readonly onRead: (read: Read) => void
  /** Enter while nothing stands in the field. */
  readonly onEmptyEnter: () => void
  /** Escape while nothing stands in the field; else it only empties the field. */
  readonly onEscape: () => void
  /** F2. */
  readonly onByHand: () => void
}

/**
 * Reads what a scanner or a hand writes into a field, by when its keys came. Returns what stops it.
 * @param listener asked at each event, so that it is always the current one
 */
export function listenToField(field: HTMLInputElement, listener: () => FieldListener): () => void {
  let reading = nothingRead
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The key that the next change of the field comes from: its time is the keyboard's own. */
  let pressed: { readonly key: string; readonly at: number; readonly held: boolean } | undefined

  function take(event: FieldEvent): void {
    const { meaning, onRead } = listener()
    const step = readField(reading, event, meaning)
    reading = step.reading
    clearTimeout(timer)
    if (step.read !== undefined) {
      field.value = reading.text
      onRead(step.read)
    }
    const due = nextLook(reading, meaning)
    // Counted from now: on a busy machine a key reaches the page long after it was pressed, and so will the next.
    if (due !== null) timer = setTimeout(() => lookSoon(due), due - event.at)
  }

  /** Once more later: keys that wait for the page already come first. */
  function lookSoon(at: number): void {
    timer = setTimeout(() => take({ type: "look", at }))
  }

  function end(event: KeyboardEvent): void {
    const empty = field.value === ""
    if (empty && event.key === "Tab") return
    event.preventDefault()
    if (empty) listener().onEmptyEnter()
    else take({ type: "end", at: event.timeStamp })
  }

  function escape(): void {
    if (field.value === "") listener().onEscape()
    clearTimeout(timer)
    reading = nothingRead
    field.value = ""
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const { key, timeStamp: at, repeat: held } = event
    pressed = { key, at, held }
    if (key === "Enter" || key === "Tab") {
      end(event)
    } else if (key === "Escape") {
      event.preventDefault()
      escape()
    } else if (key === "F2") {
      event.preventDefault()
      listener().onByHand()
    }
  }

  function onInput(event: Event): void {
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

  field.addEventListener("keydown", onKey)
  field.addEventListener("input", onInput)
  return () => {
    clearTimeout(timer)
    field.removeEventListener("keydown", onKey)
    field.removeEventListener("input", onInput)
  }
}
