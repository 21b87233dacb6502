import { useQuery } from "@tanstack/react-query"
import { useLiveUpdates, pollEvery } from "../../../api/events.ts"
import { onJobChange } from "../../../api/jobs.ts"
import { waitForSignIn } from "../../../api/request.ts"
import { openOutbox } from "./outbox.ts"
import { followConnection, parcelCalls } from "./parcel-calls.ts"
import { noteOutbox } from "./resume-outbox.ts"
import { createSender } from "./sender.ts"

export type Shipping = Awaited<ReturnType<typeof startShipping>>

let running: { readonly userId: string; readonly shipping: Promise<Shipping> } | undefined

/** The signed-in user's outbox, being sent while this tab is open. @throws Error when it cannot be read */
export function openShipping(userId: string): Promise<Shipping> {
  if (running?.userId === userId) return running.shipping
  stopShipping()
  const shipping = startShipping(userId)
  running = { userId, shipping }
  void shipping.catch(() => {
    if (running?.shipping === shipping) running = undefined
  })
  return shipping
}

export function stopShipping(): void {
  void running?.shipping.then((each) => each.stop()).catch(() => {})
  running = undefined
}

/** The signed-in user's outbox; `error` when the stored data cannot be read. */
export function useShipping(userId: string) {
  const { data: shipping, error } = useQuery({
    queryKey: ["shipping", userId],
    queryFn: async () => {
      const opened = await openShipping(userId)
      opened.checkNow()
      return opened
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return { shipping, error }
}

/** Events report each change of a job; in case one is lost, the job is looked up after this time, in ms. */
const lookupWhileLive = 15_000

const nextLookup = () => (useLiveUpdates.getState().isLive ? lookupWhileLive : pollEvery)

async function startShipping(userId: string) {
  const outbox = await openOutbox(userId)
  const stopping = new AbortController()
  const { signal } = stopping
  const connection = followConnection(signal)
  const calls = parcelCalls(userId)
  const sender = createSender({ outbox, calls, connection, nextLookup, now: Date.now })
  let wake = Promise.withResolvers<void>()
  const checkNow = () => wake.resolve()

  async function send(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>()
      const wait = await sender.turn()
      const timer = Number.isFinite(wait) ? setTimeout(checkNow, wait) : undefined
      await (sender.state.getState().type === "signed-out" ? waitForSignIn(signal) : wake.promise)
      clearTimeout(timer)
    }
  }

  const note = () => noteOutbox(userId, outbox.data.getState().parcels.length > 0)
  note()
  const unfollow = [
    outbox.data.subscribe(note),
    outbox.data.subscribe(checkNow),
    connection.lostAt.subscribe(checkNow),
    onJobChange(({ id }) => {
      if (outbox.data.getState().parcels.some(({ job }) => job === id)) checkNow()
    }),
  ]
  void inOneTab(userId, signal, send).catch(stopShipping)
  return {
    outbox,
    connection,
    calls,
    senderState: sender.state,
    /** Something may have changed: the sender checks now. */
    checkNow,
    stop() {
      stopping.abort()
      checkNow()
      for (const each of unfollow) each()
      outbox.close()
    },
  }
}

/** Runs `send` in one tab at a time. Without Web Locks each tab sends; the parcels' keys prevent duplicates. */
async function inOneTab(userId: string, signal: AbortSignal, send: () => Promise<void>): Promise<void> {
  // Undefined outside a secure context, whatever the types say.
  const locks: LockManager | undefined = navigator.locks
  try {
    await (locks === undefined ? send() : locks.request(`laurel-outbox-${userId}`, { signal }, send))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
