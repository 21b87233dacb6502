import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { freePort } from "../../support/child.ts"
import { startNginx } from "../nginx.ts"

/** One address in front of several instances. */
export interface Balancer {
  readonly url: string
  /** What it is, for the report. */
  readonly name: string
  stop(): Promise<void>
}

/** nginx where it is installed; otherwise a round robin in this process. */
export async function startBalancer(instances: readonly string[]): Promise<Balancer> {
  const nginx = await startNginx(instances.map((url) => new URL(url).host))
  if (nginx === undefined) return startRoundRobin(instances)
  setDefaultCACertificates([...getCACertificates("default"), nginx.certificate])
  return {
    url: `https://127.0.0.1:${nginx.port}`,
    name: `${nginx.version} with deploy/nginx.conf`,
    stop: () => nginx.stop(),
  }
}

/** Passes a request that was not carried out to the next instance, and a read whose instance ended as well. */
async function startRoundRobin(instances: readonly string[]): Promise<Balancer> {
  let turn = 0
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(Buffer.from(part as Uint8Array))
    const { method, url, headers, socket } = incoming
    for (let left = instances.length; left > 0; left -= 1) {
      turn += 1
      const target = new URL(url ?? "/", instances[turn % instances.length])
      try {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const forwarded = { ...headers, connection: "close", "x-forwarded-for": socket.remoteAddress }
          request(target, { method, headers: forwarded, agent: false }, resolve)
            .once("error", reject)
            .end(Buffer.concat(parts))
        })
        response.once("error", () => outgoing.destroy())
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        outgoing.once("close", () => response.destroy())
        response.pipe(outgoing)
        return
      } catch (error) {
        const unsent = error instanceof Error && "code" in error && error.code === "ECONNREFUSED"
        if (!unsent && method !== "GET") break
      }
    }
    outgoing.writeHead(502).end()
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    name: "a round robin in the test, because nginx is not installed",
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
