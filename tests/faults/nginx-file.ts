import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { request } from "node:https"
import { freePort } from "../support/child.ts"
import { host, startNginx } from "./nginx.ts"
import { until } from "./until.ts"

/** How many of two instances that answer 503 a request reaches. */
const reached: Readonly<Record<string, number>> = { GET: 2, POST: 1, PATCH: 1, PUT: 1, DELETE: 1 }

/** Runs `deploy/nginx.conf` in front of two fake instances. */
export async function checkNginx(): Promise<{ lines: string[]; missed: string[] }> {
  const ports = [await freePort(), await freePort()]
  const seen: string[] = []
  const instances = await Promise.all(ports.map((at) => startInstance(at, seen)))
  try {
    const nginx = await startNginx(ports.map((at) => `127.0.0.1:${at}`))
    if (nginx === undefined)
      return { lines: ["  nginx.conf was not checked: nginx or openssl is not installed here"], missed: [] }
    try {
      const missed = await observe(nginx.port, seen, instances)
      const lines = ["  nginx -t accepts nginx.conf; GET alone is sent again after a 503"]
      return { lines: missed.length === 0 ? lines : [], missed }
    } finally {
      await nginx.stop()
    }
  } catch (error) {
    return { lines: [], missed: [String(error)] }
  } finally {
    for (const instance of instances) instance.closeAllConnections()
    for (const instance of instances) instance.close()
  }
}

/** A fake instance, which answers 503 to everything but the event stream. */
async function startInstance(port: number, seen: string[]): Promise<Server> {
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.headers.host} ${String(req.headers["x-forwarded-proto"])}`)
    if (req.url === "/api/events") {
      res.writeHead(200, { "Content-Type": "text/event-stream" })
      // Never ended: what arrives was not buffered.
      res.write("data: first\n\n")
    } else {
      req.resume().on("end", () => res.writeHead(503).end("from an instance"))
    }
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return server
}

async function observe(port: number, seen: string[], instances: readonly Server[]): Promise<string[]> {
  const missed: string[] = []
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) missed.push(`${what}: ${String(found)}, not ${String(wanted)}`)
  }
  const ask = (method: string, path = "/", bytes = 0) => {
    seen.length = 0
    return send(port, method, path, bytes)
  }
  await until("nginx", 20_000, async () => (await ask("GET")) !== undefined)
  for (const [method, count] of Object.entries(reached)) {
    const answer = await ask(method)
    expect(`instances that a ${method} reaches while both answer 503`, seen.length, count)
    expect(`the answer to a ${method}`, answer?.text, "from an instance")
    expect(`headers of a ${method}`, seen[0], `${method} ${host} https`)
  }
  expect("the first part of the event stream", (await ask("GET", "/api/events"))?.text, "data: first\n\n")
  expect("/metrics", (await ask("GET", "/metrics"))?.status, 404)
  expect("a body of 1 MB", (await ask("POST", "/", 1_000_000))?.status, 503)
  expect("a body of 2 MB", (await ask("POST", "/", 2_000_000))?.status, 413)
  instances[0]?.close()
  instances[0]?.closeAllConnections()
  // nginx takes turns: one of two requests meets the closed port first.
  for (const method of Object.keys(reached).filter((one) => one !== "GET")) {
    for (const turn of ["first", "second"]) {
      expect(`the ${turn} ${method} with one port closed`, (await ask(method))?.text, "from an instance")
    }
  }
  return missed
}

/** Status and the first part of the body; undefined if there was no answer. */
function send(port: number, method: string, path: string, bytes: number) {
  return new Promise<{ status: number | undefined; text: string } | undefined>((resolve) => {
    const headers = { Host: host, "Content-Length": bytes }
    const sent = request({ host: "127.0.0.1", port, method, path, headers, rejectUnauthorized: false })
    sent.on("response", (response) => {
      response.once("data", (part: Buffer) => {
        resolve({ status: response.statusCode, text: part.toString() })
        sent.destroy()
      })
    })
    sent.on("error", () => resolve(undefined))
    sent.end(Buffer.alloc(bytes))
  })
}
