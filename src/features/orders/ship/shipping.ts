import type { JobRow } from "../../../../contract/job-rows.ts"
import type { Job } from "../../../../contract/job.ts"
import { startTransition, useEffect, useState } from "react"
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
  const [opened, setOpened] = useState<{ shipping?: Shipping; error?: unknown }>({})
  useEffect(() => {
    let wanted = true
    const show = (next: typeof opened) => {
      // As a transition: the entire desk renders with it.
      if (wanted) startTransition(() => setOpened(next))
    }
    openShipping(userId)
      .then((shipping) => {
        show({ shipping })
        return shipping.checkNow()
      })
      .catch((error: unknown) => show({ error }))
    return () => {
      wanted = false
    }
  }, [userId])
  return opened
}

async function startShipping(userId: string) {
  const outbox = await openOutbox(userId)
  const stopping = new AbortController()
  const { signal } = stopping
  const connection = followConnection(signal)
  let wake = Promise.withResolvers<void>()
  const checkNow = () => wake.resolve()
  let reaching = new AbortController()
  /** As `checkNow`, without waiting for a response that may never come. */
  const tryNow = () => {
    reaching.abort()
    checkNow()
  }
  const isParcel = (id: string) => outbox.data.getState().parcels.some(({ job }) => job === id)
  const changes = jobChanges(signal, isParcel, checkNow)
  const direct = parcelCalls(userId)
  const calls = {
    ...direct,
    reach: () => {
      reaching = new AbortController()
      return direct.reach(reaching.signal)
    },
    job: async (id: string) => changes.popJob(id) ?? (await direct.job(id)),
    row: async (id: string, row: number) => changes.popRow(id, row) ?? (await direct.row(id, row)),
  }
  const sender = createSender({ outbox, calls, connection, nextLookup: changes.nextLookup, now: Date.now })

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
  ]
  window.addEventListener("online", tryNow, { signal })
  void inOneTab(userId, signal, send).catch(stopShipping)
  return {
    outbox,
    connection,
    calls,
    senderState: sender.state,
    /** Something may have changed: the sender checks now. */
    checkNow,
    tryNow,
    stop() {
      stopping.abort()
      checkNow()
      for (const each of unfollow) each()
      outbox.close()
    },
  }
}

/** Maximum number of job changes buffered for the sender; an older one is looked up. */
const mostChanges = 50
/** Events report each change of a job; in case one is lost, the job is looked up after this time, in ms. */
const lookupWhileLive = 15_000

/** Changes of parcels' jobs and rows from events, so that the sender looks up only what they lack. */
function jobChanges(signal: AbortSignal, isParcel: (jobId: string) => boolean, onChange: () => void) {
  const jobs = new Map<string, Job>()
  const rows = new Map<string, JobRow>()
  const stop = onJobChange((job, changed) => {
    // Rows go to the job's creator alone, perhaps before the response with the job's id.
    if (changed.length === 0 && !isParcel(job.id)) return
    addNewest(jobs, job.id, job)
    for (const row of changed) addNewest(rows, rowKey(job.id, row.row), row)
    onChange()
  })
  signal.addEventListener("abort", stop)
  return {
    popJob: (id: string) => pop(jobs, id),
    popRow: (id: string, row: number) => pop(rows, rowKey(id, row)),
    nextLookup: () => (useLiveUpdates.getState().isLive ? lookupWhileLive : pollEvery),
  }
}

const rowKey = (job: string, row: number) => `${job} ${row}`

function addNewest<T>(changes: Map<string, T>, key: string, change: T): void {
  changes.delete(key)
  changes.set(key, change)
  for (const older of [...changes.keys()].slice(0, -mostChanges)) changes.delete(older)
}

function pop<T>(changes: Map<string, T>, key: string): T | undefined {
  const change = changes.get(key)
  changes.delete(key)
  return change
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
