import { spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { freePort } from "../../support/child.ts"
import { until } from "../until.ts"

/** One address in front of several instances. */
export interface Balancer {
  readonly url: string
  /** What it is, for the report. */
  readonly name: string
  stop(): Promise<void>
}

/** nginx where it is installed; otherwise a round robin in this process. */
export async function startBalancer(instances: readonly string[]): Promise<Balancer> {
  const { error, stderr } = spawnSync("nginx", ["-v"], { encoding: "utf8" })
  return error === undefined
    ? startNginx(instances, /nginx\/[\d.]+/.exec(stderr)?.[0] ?? "nginx")
    : startRoundRobin(instances)
}

/** As in docs/operating.md, Behind a proxy, without TLS. */
const configOf = (folder: string, port: number, instances: readonly string[]) => `
${userInfo().uid === 0 ? "user root;" : ""}
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  upstream laurel {
    ${instances.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=2s;`).join("\n    ")}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://laurel;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 60s;
      client_max_body_size 1m;
    }
  }
}
`

async function startNginx(instances: readonly string[], name: string): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "laurel-nginx-"))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, "nginx.conf")
  writeFileSync(file, configOf(folder, port, instances))
  let output = ""
  const child = spawn("nginx", ["-e", join(folder, "error.log"), "-c", file], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const end = () => void child.kill("SIGTERM")
  process.once("exit", end)
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const stop = async () => {
    process.off("exit", end)
    end()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await until("nginx", 10_000, async () => (await fetch(`${url}/healthz`)).ok || undefined)
  } catch (error) {
    await stop()
    throw new Error(`nginx did not start:\n${output}`, { cause: error })
  }
  return { url, name, stop }
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
