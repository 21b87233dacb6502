import { admin } from "../support/app-process.ts"
import { signInAs } from "../support/person.ts"
import type { FleetApp } from "./fleet.ts"
import type { Scanned } from "./secret-scan.ts"

/** Delay before reconnecting to an app that ended, in ms. */
const pauseMs = 500

/** Records the events of every app, across its kills. `stop` returns all recorded texts. */
export function recordEvents(apps: readonly FleetApp[]): { stop: () => Promise<Scanned[]> } {
  const over = new AbortController()
  const recorded = apps.map((app) => ({ where: `the events of ${app.url}`, text: "" }))
  const listening = Promise.all(
    apps.map(async ({ url }, at) => {
      const append = (text: string) => {
        const own = recorded[at]
        if (own !== undefined) own.text += text
      }
      while (!over.signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- one stream after another
        await listen(url, append, over.signal).catch(() => undefined)
        // oxlint-disable-next-line no-await-in-loop -- one stream after another
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }),
  )
  return {
    async stop() {
      over.abort()
      await listening
      return recorded
    },
  }
}

async function listen(url: string, append: (text: string) => void, signal: AbortSignal): Promise<void> {
  const { cookie } = await signInAs(url, admin.email, admin.password)
  const answer = await fetch(`${url}/api/events`, { headers: { Cookie: cookie }, signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the parts of one stream
    const part = await reader?.read()
    if (part === undefined || part.done) return
    append(part.value)
  }
}
