import { admin } from "../support/app-process.ts"
import { signInAs } from "../support/person.ts"
import type { FleetApp } from "./fleet.ts"
import type { Scanned } from "./secret-scan.ts"

/** How long an app that ended is left alone before it is listened to again, in ms. */
const pauseMs = 500

/** Listens to the events of every server, across its kills. `stop` gives everything that was heard. */
export function hearEvents(apps: readonly FleetApp[]): { stop: () => Promise<Scanned[]> } {
  const over = new AbortController()
  const heard = apps.map((app) => ({ where: `the events of ${app.url}`, text: "" }))
  const listening = Promise.all(
    apps.map(async ({ url }, at) => {
      const keep = (text: string) => {
        const own = heard[at]
        if (own !== undefined) own.text += text
      }
      while (!over.signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- one stream after another
        await listen(url, keep, over.signal).catch(() => undefined)
        // oxlint-disable-next-line no-await-in-loop -- one stream after another
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }),
  )
  return {
    async stop() {
      over.abort()
      await listening
      return heard
    },
  }
}

async function listen(url: string, keep: (text: string) => void, signal: AbortSignal): Promise<void> {
  const { cookie } = await signInAs(url, admin.email, admin.password)
  const answer = await fetch(`${url}/api/events`, { headers: { Cookie: cookie }, signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the parts of one stream
    const part = await reader?.read()
    if (part === undefined || part.done) return
    keep(part.value)
  }
}
