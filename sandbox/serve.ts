import { getRequestListener, type Http2Bindings, type HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import { createServer, ServerResponse } from "node:http"
import { createSandbox, type Sandbox } from "./app.ts"
import { demoKey } from "./config.ts"
import { announcedLength, ConnectionDropped } from "./faults.ts"

/** A sandbox that listens. */
export interface ServedSandbox {
  readonly url: string
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * Serves a sandbox over HTTP. A dropped connection is a destroyed socket, a hang sends nothing, a truncated answer
 * promises more bytes than it sends. Port 0 takes a free one. Rejects when the port is taken.
 */
export async function serveSandbox(
  sandbox: Sandbox,
  { host = "127.0.0.1", port = 0 }: { host?: string; port?: number } = {},
): Promise<ServedSandbox> {
  const listener = getRequestListener((request, env) => respond(sandbox, request, env), {
    overrideGlobalObjects: false,
  })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const taken = typeof address === "object" && address !== null ? address.port : port
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  sandbox: Sandbox,
  request: Request,
  env: HttpBindings | Http2Bindings,
): Promise<Response> {
  const { outgoing } = env
  if (!(outgoing instanceof ServerResponse)) throw new Error("The sandbox speaks HTTP/1.1 only.")
  try {
    const response = await sandbox.fetch(request)
    const promised = announcedLength(response)
    if (promised === undefined) return whileListened(response, request.signal)
    const sent = new Uint8Array(await response.arrayBuffer())
    outgoing.writeHead(response.status, {
      ...Object.fromEntries(response.headers),
      "content-length": promised,
    })
    outgoing.write(sent, () => outgoing.socket?.destroy())
  } catch (error) {
    if (!(error instanceof ConnectionDropped) && !request.signal.aborted) throw error
    outgoing.socket?.destroy()
  }
  return RESPONSE_ALREADY_SENT
}

/** The response; its body ends quietly after the client disconnected. */
function whileListened(response: Response, signal: AbortSignal): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        if (signal.aborted) controller.close()
        else controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

async function main(): Promise<void> {
  const { host, port, key, members, seed, rateLimit } = readServeConfig(process.env)
  const sandbox = createSandbox({
    members,
    seed,
    programKey: key,
    giftcardKey: key,
    rateLimit,
    giftcardRateLimit: rateLimit,
    control: true,
  })
  const served = await serveSandbox(sandbox, { host, port })
  const { url } = served
  const lines = [
    `Sandbox of both services with ${members} members, ${rateLimit === 0 ? "no limit" : `${rateLimit} requests a minute`}.`,
    `  Program API    ${url}/v1`,
    `  Gift-card API  ${url}/api/v1/external`,
    `  Control        ${url}/__sandbox`,
    `  Key            ${key}`,
    "",
    "To point Laurel at it:",
    `  ENVIRONMENT=staging \\`,
    `  PROGRAM_BASE_URL=${url}/v1 PROGRAM_API_KEY=${key} \\`,
    `  GIFTCARD_BASE_URL=${url}/api/v1/external GIFTCARD_API_KEY=${key} \\`,
    "  npm start",
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
  const stop = () => void served.close()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

function sentenceFor(error: unknown): string {
  if (error instanceof BadSetting) return error.message
  const code = error instanceof Error && "code" in error ? error.code : undefined
  const port = process.env["SANDBOX_PORT"] || "4010"
  const host = process.env["SANDBOX_HOST"] || "127.0.0.1"
  if (code === "EADDRINUSE") return `Port ${port} is in use; set SANDBOX_PORT to a free one.`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `SANDBOX_HOST ${host} is not an address of this machine.`
  if (code === "EACCES")
    return `Port ${port} may not be used by this user; set SANDBOX_PORT to one above 1023.`
  return error instanceof Error ? error.message : String(error)
}

/** A value of the environment that cannot be used; the message is the one sentence to show. */
class BadSetting extends Error {
  override readonly name = "BadSetting"
}

/** Reads and checks the environment of `npm run sandbox`. Throws BadSetting. */
export function readServeConfig(env: Readonly<Record<string, string | undefined>>) {
  const host = env["SANDBOX_HOST"] || "127.0.0.1"
  if (!/^[A-Za-z0-9.:-]+$/.test(host)) {
    throw new BadSetting(`SANDBOX_HOST must be a host name or an address, not "${host}".`)
  }
  const key = env["SANDBOX_API_KEY"] || demoKey
  if (!/^[\x21-\x7e]{8,200}$/.test(key)) {
    throw new BadSetting("SANDBOX_API_KEY must have 8 to 200 characters, without spaces or accents.")
  }
  const wholeNumber = (name: string, fallback: number, low: number, high: number): number => {
    const text = env[name] || String(fallback)
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= low && value <= high) return value
    throw new BadSetting(`${name} must be a whole number from ${low} to ${high}, not "${text}".`)
  }
  return {
    host,
    port: wholeNumber("SANDBOX_PORT", 4010, 0, 65_535),
    key,
    rateLimit: wholeNumber("SANDBOX_RATE_LIMIT", 60, 0, 1_000_000),
    members: wholeNumber("SANDBOX_MEMBERS", 2000, 0, 500_000),
    seed: env["SANDBOX_SEED"] || "laurel",
  }
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${sentenceFor(error)}\n`)
    process.exitCode = 1
  })
}
