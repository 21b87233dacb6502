interface StreamOptions {
  readonly path: string
  readonly signal: AbortSignal
  readonly onEvent: (data: string) => void
  /** The stream broke off: the server goes away, or the session is over. */
  readonly onLost: () => void
  /** The stream stands again after an interruption. */
  readonly onReconnect: () => void
}

/** Waits between attempts after the server closed the door, in ms: a restart takes a moment, a sign-in longer. */
const pauses = [1000, 2000, 5000, 10_000, 30_000]

/**
 * Holds an event stream open until `signal` aborts. The browser reconnects by itself after a lost connection; after
 * a refusal (401 when the session ended, 503 while the server starts) it gives up, so we open it again, more and
 * more slowly.
 */
export function openStream({ path, signal, onEvent, onLost, onReconnect }: StreamOptions): Promise<void> {
  return new Promise((resolve) => {
    let opened = false
    let stands = false
    let failures = 0
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined

    const open = () => {
      const stream = new EventSource(path)
      source = stream
      stream.addEventListener("open", () => {
        failures = 0
        stands = true
        if (opened) onReconnect()
        opened = true
      })
      stream.addEventListener("message", ({ data }) => {
        if (typeof data === "string") onEvent(data)
      })
      stream.addEventListener("error", () => {
        if (stands) onLost()
        stands = false
        if (stream.readyState !== EventSource.CLOSED) return
        timer = setTimeout(open, pauses[Math.min(failures, pauses.length - 1)])
        failures += 1
      })
    }
    const stop = () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    }
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    open()
  })
}
