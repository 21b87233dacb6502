/**
 * Serves the built demo (`dist/demo`) like a static host: its files, and 404.html for every other address
 * (docs/demo.md).
 */
import { createHash } from "node:crypto"
import { createServer, type Server } from "node:http"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import sirv from "sirv"

const folder = fileURLToPath(new URL("../dist/demo", import.meta.url))

/** A static site below `url`, which has no slash at its end. */
export interface ServedDemo {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the built demo below `base`, a path with a slash at both ends.
 * @throws Error in one sentence for a demo that is not built, a busy port or an address that is not this machine's
 */
export async function serveDemo(host: string, port: number, base = "/"): Promise<ServedDemo> {
  const unknown = join(folder, "404.html")
  if (!existsSync(unknown)) {
    throw new Error("The demo is not built. Run `npm run demo`, or `node scripts/build.ts demo`.")
  }
  const signpost = readFileSync(unknown, "utf8")
  const policy = policyFor(signpost)
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
  const server = createServer((req, res) => {
    const { url = "/" } = req
    const sendUnknown = () => {
      const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy }
      res.writeHead(404, { "Cache-Control": "no-cache", ...headers }).end(signpost)
    }
    if (!url.startsWith(base)) return sendUnknown()
    req.url = url.slice(base.length - 1)
    files(req, res, sendUnknown)
  })
  await listen(server, host, port)
  const address = server.address()
  const taken = typeof address === "object" && address !== null ? address.port : port
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return {
    url: `http://${name.includes(":") ? `[${name}]` : name}:${taken}${base.slice(0, -1)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The page talks to its own address only, so nothing typed into the demo can leave the browser. */
function policyFor(signpost: string): string {
  const script = /<script>([^]*)<\/script>/.exec(signpost)?.[1] ?? ""
  const hash = createHash("sha256").update(script).digest("base64")
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
    "img-src 'self' data:",
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")
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
