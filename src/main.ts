import { afterPaint } from "./lib/after-paint.ts"

// The app's code is on its way (bff/http/page.ts) and runs once what the server painted is to be seen: running it takes
// longer than a frame.
afterPaint(() => void start())

// Until all of the code is there, what needs nothing else runs, each in a task of its own, so that a frame or an input
// comes between: the browser reads the languages it knows when one is asked for first, and React starts.
async function start(): Promise<void> {
  Intl.DateTimeFormat.supportedLocalesOf("en-AU")
  await import("react-dom/client")
  await import("./start.tsx")
}
