const lockName = "laurel-demo"
/** How long a tab waits quietly before it says that another one has the demo: a reload takes a moment, in ms. */
const quietMs = 1200
/** How long the other tab may take to save and hand over before the demo is taken from it, in ms. */
const handOverMs = 3000
const handOver = "hand over"

interface ClaimOptions {
  /** Another tab has the demo; `takeOver` asks it to hand over. Called once. */
  readonly onWaiting: (takeOver: () => void) => void
  /** Another tab wants the demo: save everything before it is handed over. */
  readonly onHandOver: () => Promise<void>
  /** The demo is in another tab now: this one must not change or save anything any more. */
  readonly onLost: () => void
}

/**
 * Makes this tab the one that owns the demo's state, and resolves then. One tab at a time (a Web Lock): two would
 * overwrite each other. A waiting tab goes on by itself when the other is closed.
 */
export async function claimDemo(options: ClaimOptions): Promise<void> {
  const channel = new BroadcastChannel(lockName)
  const waiting = new AbortController()
  const queued = hold({ signal: waiting.signal }, options.onLost)
  const patience = setTimeout(() => {
    options.onWaiting(() => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
      channel.postMessage(handOver)
      setTimeout(() => waiting.abort(), handOverMs)
    })
  }, quietMs)
  // A tab that does not hand over is asleep or stuck: the demo is taken from it, and it learns so when it wakes up.
  const release = await queued.catch(() => hold({ steal: true }, options.onLost))
  clearTimeout(patience)
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data !== handOver) return
    channel.close()
    void options.onHandOver().finally(() => {
      release()
      options.onLost()
    })
  })
}

/** Resolves, once the lock is held, with what gives it back. */
function hold(lock: LockOptions, onStolen: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let held = false
    navigator.locks
      .request(lockName, lock, () => {
        held = true
        return new Promise<void>((release) => resolve(release))
      })
      .catch((error: unknown) => {
        if (held) onStolen()
        else reject(error instanceof Error ? error : new Error("The lock was not given."))
      })
  })
}
