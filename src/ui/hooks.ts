import { type ChangeEvent, type CompositionEvent, useEffect, useState, useSyncExternalStore } from "react"
import { sameValue } from "../lib/same-value.ts"
import { serverTime } from "../lib/time.ts"

function ticker(step: number) {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      timer ??= setInterval(() => {
        for (const each of listeners) each()
      }, step)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    // Equal within a step: `useSyncExternalStore` needs a stable snapshot.
    read: () => Math.floor(Date.now() / step) * step,
  }
}

const everySecond = ticker(1000)
const everyHalfMinute = ticker(30_000)

/** The current time in ms, kept up to date; `second` for countdowns and ages under a minute. */
export function useNow(step: "second" | "half-minute"): number {
  const source = step === "second" ? everySecond : everyHalfMinute
  return useSyncExternalStore(source.subscribe, source.read)
}

/** The same by the server's clock, for comparison with times of records. */
export function useServerNow(step: "second" | "half-minute"): number {
  return serverTime(useNow(step))
}

/** Text for a time in ms, kept up to date; renders only when the text changes. */
export function useTimeText(words: (ms: number, now: number) => string, ms: number): string {
  const { subscribe, read } = everySecond.read() - ms < 60_000 ? everySecond : everyHalfMinute
  return useSyncExternalStore(subscribe, () => (Number.isNaN(ms) ? "" : words(ms, read())))
}

/** Whether `waiting` has lasted for a time in ms; 150, so that fast responses cause no flicker. */
export function useLate(waiting: boolean, ms = 150): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting, ms])
  return waiting && late
}

/** The same object while its content is equal, so that what depends on it is not computed again. */
export function useStable<T>(next: T): T {
  const [value, setValue] = useState(next)
  if (value === next || sameValue(value, next)) return value
  setValue(next)
  return next
}

/** Sets the window's title: "Members · Laurel". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Laurel`
  }, [title])
}

const pageHeading = () => document.querySelector<HTMLElement>("main h1")

/** Focuses the page's heading, for a button that is removed when pressed. */
export function focusHeading(): void {
  pageHeading()?.focus({ preventScroll: true })
}

const dialogs = "dialog[open], [role=dialog]"

/** The last focused element outside every dialog: dialogs can replace each other. */
let outside: HTMLElement | null = null

/**
 * Returns the focus to the opener when a dialog unmounts. Mantine only does this for dialogs that stay mounted. Call it
 * in the dialog, before it takes the focus; in a panel of a list's `row`, whose link may be re-rendered as another
 * element for the panel.
 */
export function useFocusBack(row = ""): void {
  const [opener] = useState(findOpener)
  useEffect(
    () => () => {
      // Deferred, because the next page may focus its heading.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        // A dialog opened by its link has no opener: focus the page's heading.
        const link = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] [data-row-link]`)
        const back = [opener, link, outside, pageHeading()].find((element) => element?.isConnected === true)
        // A dialog that replaced it sets its own focus.
        const covered = document.querySelector(dialogs) !== null && back?.closest(dialogs) == null
        if (!covered) back?.focus({ preventScroll: true })
      })
    },
    [opener, row],
  )
}

function findOpener(): HTMLElement | null {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active === document.body) return null
  // A menu item is removed with its menu; the menu's button stays.
  const button = active.closest("[role=menu]")?.getAttribute("aria-labelledby")
  const opener = button == null ? active : (document.getElementById(button) ?? active)
  if (opener.closest(dialogs) === null) outside = opener
  return opener
}

/** The primary button of a dialog: of the focused form, of its only form, or its filled one. */
function primaryButton(dialog: Element): HTMLButtonElement | null {
  const form = document.activeElement?.closest("form") ?? null
  const submit = "button[type=submit]"
  return (
    (form !== null && dialog.contains(form) ? form.querySelector<HTMLButtonElement>(submit) : null) ??
    dialog.querySelector<HTMLButtonElement>(submit) ??
    dialog.querySelector<HTMLButtonElement>("button[data-variant=filled]")
  )
}

/**
 * Ctrl Enter (Cmd Enter) presses the primary button of a dialog, from a text area too and after the focus was lost.
 * Call it in each dialog; the topmost one handles the key.
 */
export function useSubmitKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, isComposing, defaultPrevented } = event
      if (key !== "Enter" || !(ctrlKey || metaKey) || isComposing || defaultPrevented) return
      const { activeElement: active, body } = document
      const lost = active === null || active === body
      const dialog = lost ? [...document.querySelectorAll(dialogs)].at(-1) : active.closest(dialogs)
      const button = dialog && primaryButton(dialog)
      if (!button || button.disabled) return
      event.preventDefault()
      button.click()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
}

/** Android keyboards compose every word of every language, so waiting for the end would stop searching while typing. */
const composesAllText = /Android/i.test(navigator.userAgent)

/**
 * Props of a text field that passes text on only when IME composition has ended, so that nothing is searched or checked
 * before.
 */
export function useComposedText(value: string, onText: (text: string) => void) {
  const [composing, setComposing] = useState<string>()
  type Field = HTMLInputElement | HTMLTextAreaElement
  const take = (text: string) => {
    setComposing(undefined)
    onText(text)
  }
  return {
    value: composing ?? value,
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<Field>) => {
      const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
      if (isComposing && !composesAllText) setComposing(currentTarget.value)
      else take(currentTarget.value)
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Field>) => take(currentTarget.value),
  }
}

/** Props of a menu that is mounted open. Mantine returns the focus to its button only from the second time on. */
export const menuFocusFix = {
  withinPortal: false,
  onClose: () => findOpener()?.focus({ preventScroll: true }),
}

/** Props of the next button: focused on mount, unless the user is typing. */
export const initialFocus = { ref: focusWhenDrawn, "data-autofocus": true }

function focusWhenDrawn(button: HTMLElement | null): void {
  const typing =
    document.activeElement instanceof HTMLInputElement ||
    document.activeElement instanceof HTMLTextAreaElement
  if (!typing) button?.focus({ preventScroll: true })
}
