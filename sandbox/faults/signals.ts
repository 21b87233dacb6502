/**
 * The connection was destroyed before an answer. `serve.ts` destroys the socket; in a browser or a test whoever
 * calls `fetch` meets a network error.
 */
export class ConnectionDropped extends Error {
  override readonly name = "ConnectionDropped"

  constructor() {
    super("The sandbox dropped the connection.")
  }
}

/** Never answers; rejects with the signal's reason when the request is given up. */
export function hangUntil(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}

const announced = new WeakMap<Response, number>()

/** Marks an answer that promises more bytes than it has. */
export function announce(response: Response, bytes: number): Response {
  announced.set(response, bytes)
  return response
}

/** How many bytes an answer promises, if that is not how many it has. */
export function announcedLength(response: Response): number | undefined {
  return announced.get(response)
}
