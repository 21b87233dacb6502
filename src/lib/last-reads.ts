/** The text of a response, and when the service responded, in ms since the epoch. */
export interface LastRead {
  readonly text: string
  readonly at: number
}

/** Last responses without personal data, for opening the app offline (src/lib/offline.ts). */
export const lastReads = {
  /** The latest responses of this page, by URL. */
  all: new Map<string, LastRead>(),
  changed: (): void => {},
  /** Reads of an earlier page; set from opening offline until there is a connection. */
  earlier: undefined as ((address: string) => Promise<LastRead | undefined>) | undefined,
  /** `localStorage` key of the session that may open the app offline. */
  personKey: "laurel-offline-session",
}

const namesNobody = /\/api\/((program\/)?(orders|rewards)\?(?!.*search=)|settings\/carriers$)/
/** Most responses that are stored. */
export const mostReads = 12

/** Records a response if it contains no personal data. */
export function noteRead(address: string, read: LastRead): void {
  if (!namesNobody.test(address)) return
  const { all } = lastReads
  all.delete(address)
  all.set(address, read)
  const [oldest = ""] = all.keys()
  if (all.size > mostReads) all.delete(oldest)
  lastReads.changed()
}
