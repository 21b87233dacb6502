import {
  type ChangeEvent,
  type CompositionEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react"
import { afterPaint } from "../lib/after-paint.ts"
import type { ExternalValue } from "../lib/external-value.ts"
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
    // The same value within a step, as React asks of an external store.
    read: () => Math.floor(Date.now() / step) * step,
  }
}

const everySecond = ticker(1000)
const everyHalfMinute = ticker(30_000)

/** The time now in ms, kept current; `second` for countdowns and ages under a minute. */
export function useNow(step: "second" | "half-minute"): number {
  const source = step === "second" ? everySecond : everyHalfMinute
  return useSyncExternalStore(source.subscribe, source.read)
}

/** The same by the server's clock, for what is compared with moments of records. */
export function useServerNow(step: "second" | "half-minute"): number {
  return serverTime(useNow(step))
}

/** What `words` say of a time in ms, kept current and drawn again only when they change. */
export function useTimeText(words: (ms: number, now: number) => string, ms: number): string {
  const { subscribe, read } = everySecond.read() - ms < 60_000 ? everySecond : everyHalfMinute
  return useSyncExternalStore(subscribe, () => (Number.isNaN(ms) ? "" : words(ms, read())))
}

/** Whether `waiting` has lasted for 150 ms: what comes within a moment changes nothing on the screen. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setLate(true), 150)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting])
  return waiting && late
}

/** Follows a value outside React. */
export function useExternalValue<T>(value: ExternalValue<T>): T {
  return useSyncExternalStore(value.subscribe, value.get)
}

/** False until what was drawn with it was painted: for what is costly to draw and may come after the rest. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), [])
  return painted
}

/** Draws what is in it once all around it was painted. */
export function AfterPaint({ children }: { children: ReactNode }): ReactNode {
  return usePainted() && children
}

/** Whether half of an element (see `setPlace`) was in view and all around it is painted: for what is costly to draw. */
export function useSeen() {
  const [place, setPlace] = useState<Element | null>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting))
          afterPaint(() => startTransition(() => setSeen(true)))
      },
      { threshold: 0.5 },
    )
    if (place !== null && !seen) observer.observe(place)
    return () => observer.disconnect()
  }, [place, seen])
  return { setPlace, seen }
}

/** Names the window after the page: "Members · Laurel". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Laurel`
  }, [title])
}

const pageHeading = () => document.querySelector<HTMLElement>("main h1")

/** Takes the focus to the page's heading: for a button that goes when it is pressed. */
export function focusHeading(): void {
  pageHeading()?.focus({ preventScroll: true })
}

const dialogs = "dialog[open], [role=dialog]"

/** What had the focus last outside every dialog: one dialog may take another's place before the person is back. */
let outside: HTMLElement | null = null

/**
 * Gives the focus back to what opened a dialog when the dialog goes. Mantine does it for dialogs that stay and are
 * told to close; ours are there only while they are open. Call it in the dialog, before it takes the focus; in a panel of
 * a list's `row`, whose link is another element when the list was laid out anew for the panel.
 */
export function useFocusBack(row = ""): void {
  const [opener] = useState(findOpener)
  useEffect(
    () => () => {
      // Later: the page that comes instead may give the focus to its heading.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        // One that was opened by its link was opened by nothing: what is under it begins with its heading.
        const link = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] [data-row-link]`)
        const back = [opener, link, outside, pageHeading()].find((element) => element?.isConnected === true)
        // Another dialog that took its place has a focus of its own to set.
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
  // The item of a menu goes with its menu; the menu's button stays.
  const button = active.closest("[role=menu]")?.getAttribute("aria-labelledby")
  const opener = button == null ? active : (document.getElementById(button) ?? active)
  if (opener.closest(dialogs) === null) outside = opener
  return opener
}

/** The button a dialog is for: of the form with the focus, of its only form, or its filled one. */
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
 * Ctrl Enter (Cmd Enter) presses the primary button of a dialog, from a text area too and after the focus was lost. Call
 * it in each dialog; the topmost one takes the key.
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

/** Keyboards of Android compose every word of every language, so waiting for the end would stop searching as one types. */
const composesAllText = /Android/i.test(navigator.userAgent)

/** Props of a text field that passes its text on only when an IME has composed it: nothing is searched or checked before. */
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

/** Props of a menu that is drawn open. Mantine gives the focus back to its button only from the second time on. */
export const menuFocusFix = {
  withinPortal: false,
  onClose: () => findOpener()?.focus({ preventScroll: true }),
}

/** Props of the button that is next: it takes the focus as it is drawn, unless somebody is typing. */
export const initialFocus = { ref: focusWhenDrawn, "data-autofocus": true }

function focusWhenDrawn(button: HTMLElement | null): void {
  const typing =
    document.activeElement instanceof HTMLInputElement ||
    document.activeElement instanceof HTMLTextAreaElement
  if (!typing) button?.focus({ preventScroll: true })
}
