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
