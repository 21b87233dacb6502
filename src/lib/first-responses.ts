/** A page that took longer than this to get here asks again, in ms: as long as the query cache takes a response for fresh. */
const oldestPage = 30_000

interface Held {
  readonly status: number
  /** Seconds since a service responded, when the server wrote the page. */
  readonly age: number
  readonly text: string
}

/** Whether the app has drawn a page: until then what the server painted stands there. */
export const firstPage = { drawn: false }

const held = new Map<string, Held>()

/** Takes the responses that came with the page out of it (bff/http/page.ts, src/demo/start.ts); in development there are none. */
export function takeFirstResponses(): void {
  for (const block of document.querySelectorAll<HTMLScriptElement>("script[data-address]")) {
    const { address = "", status, age } = block.dataset
    held.set(address, { status: Number(status), age: Number(age), text: block.text })
    block.remove()
  }
}

/** The response to a read that came with the page, once, with its age by now. */
export function firstResponse(address: string): { response: Response; text: string } | undefined {
  const found = held.get(address)
  held.delete(address)
  if (found === undefined || performance.now() > oldestPage) return undefined
  const age = Math.round(found.age + performance.now() / 1000)
  const { status, text } = found
  // A response of another status cannot be made.
  if (!(status >= 200 && status <= 599)) return undefined
  return { response: new Response(null, { status, headers: { Age: String(age) } }), text }
}

/** Ends that: something was changed. Nobody who signs in later finds what was another's. */
export function dropFirstResponses(): void {
  held.clear()
}

/** What a read answered, and when the service did, in ms since the epoch. */
export interface LastRead {
  readonly text: string
  readonly at: number
}

/** What a page that is opened without a connection begins with (src/lib/offline.ts): last answers to reads that name nobody. */
export const lastReads = {
  /** Of this page, by address; the newest. */
  all: new Map<string, LastRead>(),
  changed: (): void => {},
  /** Of an earlier page; set from opening without a connection until there is one. */
  earlier: undefined as ((address: string) => Promise<LastRead | undefined>) | undefined,
  /** Where `localStorage` has who may open it. */
  personKey: "laurel-offline-session",
}

const namesNobody = /\/api\/(program\/(orders|rewards)\?(?!.*search=)|settings\/carriers$)/
/** So many are kept. */
export const mostReads = 12

/** Notes a read for later if what it answers names nobody. */
export function noteRead(address: string, read: LastRead): void {
  if (!namesNobody.test(address)) return
  const { all } = lastReads
  all.delete(address)
  all.set(address, read)
  const [oldest = ""] = all.keys()
  if (all.size > mostReads) all.delete(oldest)
  lastReads.changed()
}
