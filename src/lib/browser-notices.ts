import * as z from "zod/mini"
import { appRoot } from "./app-root.ts"
import { createStored } from "./browser-storage.ts"

type BrowserNotices = "on" | "off" | "blocked" | "impossible"

/** The choice in this browser; the browser may still refuse. */
const useChoice = createStored("laurel-browser-notices", z.object({ isOn: z.boolean() }), { isOn: false })

/** State of the browser's notifications. */
export function useBrowserNotices(): BrowserNotices {
  return stateNow(useChoice((state) => state.isOn))
}

/** Turns the browser's notifications on or off; requests the permission only here, after a click. */
export async function setBrowserNotices(isOn: boolean): Promise<void> {
  if (isOn && "Notification" in globalThis && Notification.permission === "default") {
    await Notification.requestPermission()
  }
  useChoice.setState({ isOn })
}

/** Shows a browser notification while the page is hidden; it opens `page`, a path below the root. */
export function notifyBrowser(notice: { tag: string; title: string; body: string; page: string }): void {
  const { title, page, ...options } = notice
  if (stateNow(useChoice.getState().isOn) !== "on" || document.visibilityState === "visible") return
  new Notification(title, options).addEventListener("click", () => {
    globalThis.focus()
    globalThis.location.assign(appRoot + page)
  })
}

function stateNow(isOn: boolean): BrowserNotices {
  if (!("Notification" in globalThis)) return "impossible"
  if (Notification.permission === "denied") return "blocked"
  return isOn && Notification.permission === "granted" ? "on" : "off"
}
