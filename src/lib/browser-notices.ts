import { appRoot } from "./app-root.ts"
import { externalValue, saveChoice, readChoice } from "./external-value.ts"

type BrowserNotices = "on" | "off" | "blocked" | "impossible"

const key = "laurel-job-notices"

/** State of the browser's notifications. */
export const browserNotices = externalValue<BrowserNotices>(stateNow(readChoice(key, ["on", "off"], "off")))

/** Turns the browser's notifications on or off; requests the permission only here, after a click. */
export async function setBrowserNotices(on: boolean): Promise<void> {
  if (on && "Notification" in globalThis && Notification.permission === "default") {
    await Notification.requestPermission()
  }
  saveChoice(key, on ? "on" : "off")
  browserNotices.set(stateNow(on ? "on" : "off"))
}

/** Shows a browser notification while the page is hidden; it opens `page`, a path below the root. */
export function notifyBrowser(notice: { tag: string; title: string; body: string; page: string }): void {
  const { title, page, ...options } = notice
  if (browserNotices.get() !== "on" || document.visibilityState === "visible") return
  new Notification(title, options).addEventListener("click", () => {
    globalThis.focus()
    globalThis.location.assign(appRoot + page)
  })
}

function stateNow(choice: "on" | "off"): BrowserNotices {
  if (!("Notification" in globalThis)) return "impossible"
  if (Notification.permission === "denied") return "blocked"
  return choice === "on" && Notification.permission === "granted" ? "on" : "off"
}
