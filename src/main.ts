import { afterPaint } from "./lib/after-paint.ts"

// This file runs twice: in the page, and in a worker that the page starts from it (already there, so no request).
if (typeof document === "undefined") readLanguages()
else {
  // The app's code is on its way (bff/http/page.ts) and runs once what the server painted is to be seen: running it takes
  // longer than a frame.
  afterPaint(() => void start())
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
  await import("./start.tsx")
}
