/**
 * Serves the built demo (`dist/demo`) as the static site it is: no server of ours is behind it. Whatever host serves
 * these files does the same, if it answers unknown addresses with index.html.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import sirv from "sirv"

const folder = fileURLToPath(new URL("../dist/demo", import.meta.url))

/** The page talks to its own address only, so nothing typed into the demo can leave the browser. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ")

/** The demo, served. */
export interface ServedDemo {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the built demo.
 * @throws Error in one sentence for a demo that is not built, a busy port or an address that is not this machine's
 */
export async function serveDemo(host: string, port: number): Promise<ServedDemo> {
  const index = join(folder, "index.html")
  if (!existsSync(index)) {
    throw new Error("The demo is not built. Run `npm run demo`, or `node scripts/build.ts demo`.")
  }
  const page = readFileSync(index)
  const files = sirv(folder, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(res, path) {
      // Files under /assets carry their hash in their name; the page and the worker are asked for again.
      const isHashed = path.startsWith("/assets/")
      res.setHeader("Cache-Control", isHashed ? "public, max-age=31536000, immutable" : "no-cache")
      res.setHeader("Content-Security-Policy", policy)
    },
  })
  const server = createServer((req, res) => files(req, res, () => sendPageOr404(req, res, page)))
  await listen(server, host, port)
  const address = server.address()
  const taken = typeof address === "object" && address !== null ? address.port : port
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return {
    url: `http://${name.includes(":") ? `[${name}]` : name}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A deep link is the page, whose addresses the browser reads; a missing script or picture is not. */
function sendPageOr404(req: IncomingMessage, res: ServerResponse, page: Buffer): void {
  const isVisit = req.method === "GET" && (req.headers.accept ?? "").includes("text/html")
  res.setHeader("Cache-Control", "no-cache")
  if (isVisit) {
    res.setHeader("Content-Security-Policy", policy)
    res.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page)
  } else {
    res.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("There is no such file.\n")
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is taken by another program. Stop that one, or set PORT to a free port.`
          : `The demo cannot listen on ${host}:${port}: ${error.message}.`
      reject(new Error(why))
    })
    server.listen(port, host, resolve)
  })
}

if (import.meta.main) {
  const port = process.env["PORT"] ?? "3100"
  try {
    if (!/^\d+$/.test(port) || Number(port) > 65_535) {
      throw new Error(`PORT is "${port}". It has to be a number from 0 to 65535.`)
    }
    const { url } = await serveDemo(process.env["HOST"] ?? "127.0.0.1", Number(port))
    process.stdout.write(`The demo runs at ${url}. Nothing leaves the browser. Stop it with Ctrl C.\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
