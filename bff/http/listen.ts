import { createServer, type RequestListener, type ServerResponse } from "node:http"

export interface Listening {
  readonly url: string
  readonly port: number
  /** Stops accepting connections and resolves when every request has been answered, or after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Why the server cannot listen, in one sentence for a person. */
export class ListenRefused extends Error {
  override readonly name = "ListenRefused"
}

/** How long a client may take for the headers (from the moment it connected) and for a whole request, in ms. */
const usualTimes = { headers: 10_000, request: 30_000 }

/** @throws ListenRefused for a busy port or an address of another machine; another port is never tried */
export function listen(
  app: RequestListener,
  host: string,
  port: number,
  times = usualTimes,
): Promise<Listening> {
  const open = new Set<ServerResponse>()
  let isClosing = false
  const server = createServer(
    {
      headersTimeout: times.headers,
      requestTimeout: times.request,
      // Longer than the idle time of common proxies, so that they and not we end a quiet connection.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(1_000, times.headers),
    },
    (req, res) => {
      if (isClosing) res.setHeader("Connection", "close")
      open.add(res)
      res.once("close", () => open.delete(res))
      app(req, res)
    },
  )
  const close = async (graceMs: number) => {
    isClosing = true
    // The client asks the next server, not this connection again.
    for (const res of open) if (!res.headersSent) res.setHeader("Connection", "close")
    const late = performance.now() + graceMs
    // A connection that has just answered is idle only then: it is looked for again and again.
    const sweep = setInterval(() => {
      if (performance.now() >= late) server.closeAllConnections()
      else server.closeIdleConnections()
    }, 25)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    clearInterval(sweep)
  }
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new ListenRefused(whyNot(error, host, port))))
    server.listen(port, host, () => {
      const address = server.address()
      const taken = typeof address === "object" && address !== null ? address.port : port
      resolve({ url: `http://${urlHost(host)}:${taken}`, port: taken, close })
    })
  })
}

function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

function whyNot(error: Error, host: string, port: number): string {
  const code = "code" in error ? error.code : undefined
  if (code === "EADDRINUSE") {
    return `Port ${port} on ${host} is taken by another program. Stop that one, or set PORT to a free port.`
  }
  if (code === "EACCES") return `Port ${port} may not be used by this account. Set PORT to 1024 or above.`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `HOST is ${host}, which is not an address of this machine. Set HOST to one that is.`
  }
  return `Laurel can’t listen on ${host}:${port}: ${error.message}.`
}
