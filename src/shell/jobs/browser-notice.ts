import { externalValue, keepChoice, readChoice } from "../../lib/external-value.ts"

/** Whether the browser may tell when a job is done: off until somebody turns it on, or blocked by the browser. */
export type BrowserNotices = "on" | "off" | "blocked" | "impossible"

const key = "laurel-job-notices"

/** What this browser does. */
export const browserNotices = externalValue<BrowserNotices>(stateNow(readChoice(key, ["on", "off"], "off")))

/** Turns the browser's own notices on or off; asks for the permission only here, after a click. */
export async function setBrowserNotices(on: boolean): Promise<void> {
  if (on && "Notification" in globalThis && Notification.permission === "default") {
    await Notification.requestPermission()
  }
  keepChoice(key, on ? "on" : "off")
  browserNotices.set(stateNow(on ? "on" : "off"))
}

interface BrowserNotice {
  readonly title: string
  readonly body: string
  /** Several tabs tell the same once. */
  readonly tag: string
  /** Where a click leads. */
  readonly address: string
}

/** Tells it through the browser, when that is on and nobody is looking at this window. */
export function tellBrowser({ title, body, tag, address }: BrowserNotice): void {
  if (browserNotices.get() !== "on" || document.visibilityState === "visible") return
  const notice = new Notification(title, { body, tag })
  notice.addEventListener("click", () => {
    globalThis.focus()
    globalThis.location.assign(address)
  })
}

function stateNow(choice: "on" | "off"): BrowserNotices {
  if (!("Notification" in globalThis)) return "impossible"
  if (Notification.permission === "denied") return "blocked"
  return choice === "on" && Notification.permission === "granted" ? "on" : "off"
}
