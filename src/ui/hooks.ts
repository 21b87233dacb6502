import { type ReactNode, startTransition, useEffect, useState, useSyncExternalStore } from "react"
import { afterPaint } from "../lib/after-paint.ts"
import type { ExternalValue } from "../lib/external-value.ts"

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

/** What `words` say of a time in ms, kept current and drawn again only when they change. */
export function useWordsFor(words: (ms: number, now: number) => string, ms: number): string {
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

/** Props of a menu that is drawn open. Mantine gives the focus back to its button only from the second time on. */
export const lateMenu = { withinPortal: false, onClose: () => findOpener()?.focus({ preventScroll: true }) }

/** Props of the button that is next: it takes the focus as it is drawn, unless somebody is typing. */
export const nextButton = { ref: focusWhenDrawn, "data-autofocus": true }

function focusWhenDrawn(button: HTMLElement | null): void {
  const typing =
    document.activeElement instanceof HTMLInputElement ||
    document.activeElement instanceof HTMLTextAreaElement
  if (!typing) button?.focus({ preventScroll: true })
}
