import { afterPaint } from "./lib/after-paint.ts"

// This file runs twice: in the page, and in a worker that the page starts from it (already there, so no request).
if (typeof document === "undefined") readLanguages()
else if (isTooOld()) {
  showMessage(
    "This browser is too old for Laurel. Nothing was loaded or changed. Update it, or use a current Chrome, Edge, Firefox or Safari.",
  )
} else {
  // The app's code is on its way (bff/http/page.ts) and runs once what the server painted is to be seen: running it takes
  // longer than a frame.
  afterPaint(() => void start().catch(showFailure))
  void new Worker(import.meta.url, { type: "module" })
}

/**
 * A browser reads all the languages it knows when a date or a number is first formatted, once for the page and its
 * workers: 16 to 37 ms, which the worker takes off the page's thread.
 */
function readLanguages(): void {
  Intl.DateTimeFormat.supportedLocalesOf("en-AU")
  Intl.NumberFormat.supportedLocalesOf("en-AU")
  close()
}

/** React starts in a task of its own while the rest still arrives, so that a frame or an input comes between. */
async function start(): Promise<void> {
  await import("./react.ts")
  const { started } = await import("./start.tsx")
  await started
}

/** What every page needs and no polyfill brings: the oldest browsers with them are from 2024. */
function isTooOld(): boolean {
  return !("withResolvers" in Promise && "groupBy" in Map && "popover" in HTMLElement.prototype)
}

/** In place of a page that one of the app's files is missing for: it must need none of them. */
function showFailure(error: unknown): void {
  const reload = document.createElement("button")
  reload.textContent = "Reload"
  reload.style.font = "inherit"
  reload.addEventListener("click", () => window.location.reload())
  showMessage(
    "Laurel didn’t load: one of its files didn’t arrive. Nothing was lost. Check your connection, then reload. ",
    reload,
  )
  reload.focus()
  reportError(error)
}

function showMessage(...content: (string | Node)[]): void {
  const notice = document.createElement("p")
  notice.setAttribute("role", "alert")
  notice.style.cssText = "margin:2rem;font:1rem/2 system-ui"
  notice.append(...content)
  document.getElementById("root")?.replaceChildren(notice)
}
