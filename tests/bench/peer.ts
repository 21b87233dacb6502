/** The peer: a react-admin app on the same service (tests/bench/peer), for comparison; Lighthouse is installed with it. */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync } from "node:zlib"
import react from "@vitejs/plugin-react"
import express from "express"
import { createProxyMiddleware } from "http-proxy-middleware"
import sirv from "sirv"
import { build } from "vite"

const source = fileURLToPath(new URL("peer", import.meta.url))
/** Its packages are installed outside the project's. */
export const peerFolder = fileURLToPath(new URL("../../node_modules/.cache/bench-peer", import.meta.url))

/**
 * Installs (with its own lockfile, once), builds and serves the peer for a service: static files compressed like
 * Laurel's, the service behind a proxy that adds the key. Throws when the installation fails.
 */
export async function startPeer(
  upstream: string,
  key: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  cpSync(source, peerFolder, { recursive: true })
  const lock = readFileSync(join(source, "package-lock.json"), "utf8")
  const mark = join(peerFolder, ".installed-from")
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== lock) {
    process.stdout.write("Installing react-admin and Lighthouse (the first time only) ...\n")
    const options = ["ci", "--no-audit", "--no-fund", "--loglevel=error"]
    const done = spawnSync("npm", options, { cwd: peerFolder, stdio: "inherit" })
    if (done.status !== 0) throw new Error("The packages were not installed; see the output above.")
    writeFileSync(mark, lock)
  }
  const pages = join(peerFolder, "dist")
  await build({
    root: peerFolder,
    configFile: false,
    plugins: [react()],
    build: { outDir: pages, chunkSizeWarningLimit: 3000 },
    logLevel: "warn",
  })
  for (const name of readdirSync(join(pages, "assets"))) {
    const file = join(pages, "assets", name)
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  }
  const app = express()
  app.use(
    createProxyMiddleware({
      pathFilter: "/v1",
      target: upstream,
      agent: new Agent({ keepAlive: true, maxSockets: 64 }),
      headers: { authorization: `Bearer ${key}` },
    }),
  )
  app.use(sirv(pages, { brotli: true, immutable: true, maxAge: 31_536_000 }))
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The peer has no port.")
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
