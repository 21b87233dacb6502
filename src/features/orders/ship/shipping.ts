import { useEffect, useState } from "react"
import { untilSignedInAgain } from "../../../api/session-gate.ts"
import { openOutbox, type Outbox } from "./outbox.ts"
import { createSender, parcelCalls, type ParcelCalls, type Sender } from "./sender.ts"
import { markOutbox } from "./wake-outbox.ts"
import { externalValue, type ExternalValue } from "../../../lib/external-value.ts"

/** Whether the desk's server can be reached. */
export interface Connection {
  /** When it was lost, in ms since the epoch; null while it stands. */
  readonly lostAt: ExternalValue<number | null>
  /** No answer came. */
  lost(): void
  /** An answer came. */
  found(): void
}

/** Follows the connection by what the browser says and by what requests met; `stop` ends it. */
export function followConnection(now: () => number = Date.now): Connection & { stop(): void } {
  const lostAt = externalValue<number | null>(null)
  const lost = () => lostAt.set(lostAt.get() ?? now())
  const found = () => {
    if (navigator.onLine) lostAt.set(null)
  }
  if (!navigator.onLine) lost()
  window.addEventListener("offline", lost)
  window.addEventListener("online", found)
  return {
    lostAt,
    lost,
    found,
    stop() {
      window.removeEventListener("offline", lost)
      window.removeEventListener("online", found)
    },
  }
}

/** A person's outbox with what sends it. */
export interface Shipping {
  readonly outbox: Outbox
  readonly connection: Connection
  readonly calls: ParcelCalls
  readonly senderState: Sender["state"]
  /** Something may have changed: look now. */
  poke(): void
  stop(): void
}

let running: { readonly userId: string; readonly shipping: Promise<Shipping> } | undefined

/**
 * The outbox of whoever is signed in, being sent from now on as long as this tab is open, whatever page it shows.
 * @throws Error when what the browser kept cannot be read
 */
export function shippingOf(userId: string): Promise<Shipping> {
  if (running?.userId === userId) return running.shipping
  stopShipping()
  const shipping = startShipping(userId)
  running = { userId, shipping }
  void shipping.catch(() => {
    if (running?.shipping === shipping) running = undefined
  })
  return shipping
}

/** Ends it: somebody else is at this desk now. */
export function stopShipping(): void {
  void running?.shipping.then((each) => each.stop()).catch(() => {})
  running = undefined
}

/** Before the first sleep. */
function nobodySleeps(): void {}

async function startShipping(userId: string): Promise<Shipping> {
  const outbox = await openOutbox(userId)
  const connection = followConnection()
  const sender = createSender({ outbox, calls: parcelCalls, connection, now: Date.now })
  const stopping = new AbortController()
  let wake = nobodySleeps
  let poked = false
  const poke = () => {
    poked = true
    wake()
  }
  const mark = () => markOutbox(userId, outbox.data.get().parcels.length > 0)
  mark()
  const unfollow = [
    outbox.data.subscribe(mark),
    outbox.data.subscribe(poke),
    connection.lostAt.subscribe(poke),
  ]
  window.addEventListener("online", poke)

  async function sleep(ms: number): Promise<void> {
    if (poked) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      if (Number.isFinite(ms)) timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }

  async function send(): Promise<void> {
    while (!stopping.signal.aborted) {
      poked = false
      const wait = await sender.turn()
      if (sender.state.get().type === "signed-out") await untilSignedInAgain(stopping.signal)
      else await sleep(wait)
    }
  }

  void inOneTab(userId, stopping.signal, send).catch(stopShipping)
  return {
    outbox,
    connection,
    calls: parcelCalls,
    senderState: sender.state,
    poke,
    stop() {
      stopping.abort()
      wake()
      for (const each of unfollow) each()
      window.removeEventListener("online", poke)
      connection.stop()
      outbox.close()
    },
  }
}

/** Runs `send` in one tab at a time. Without Web Locks each tab sends; the parcels' keys keep it one effect each. */
async function inOneTab(userId: string, signal: AbortSignal, send: () => Promise<void>): Promise<void> {
  // Absent outside a secure page, whatever the types say.
  const locks: LockManager | undefined = navigator.locks
  try {
    await (locks === undefined ? send() : locks.request(`laurel-outbox-${userId}`, { signal }, send))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** The outbox of whoever is signed in; `error` when what the browser kept of it cannot be read. */
export function useShipping(userId: string): { shipping: Shipping | undefined; error: unknown } {
  const [opened, setOpened] = useState<{ shipping?: Shipping; error?: unknown }>({})
  useEffect(() => {
    let wanted = true
    shippingOf(userId)
      .then((shipping) => {
        if (wanted) setOpened({ shipping })
        shipping.poke()
        return undefined
      })
      .catch((error: unknown) => {
        if (wanted) setOpened({ error })
      })
    return () => {
      wanted = false
    }
  }, [userId])
  return { shipping: opened.shipping, error: opened.error }
}
