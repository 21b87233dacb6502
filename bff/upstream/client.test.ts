import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { UpstreamCall, UpstreamResult } from "../../core/ports.ts"
import { createUpstream, type Deadlines, deadlinesOf, type HttpUpstream } from "./client.ts"

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Longer than a test may last: only what a test shortens can run out, ms. */
const patient: Deadlines = { connect: 600_000, headers: 600_000, body: 600_000, total: 600_000 }

function client(port: number, deadlines: Partial<Deadlines> = {}): HttpUpstream {
  const upstream = createUpstream(
    { program: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "key-very-secret" } },
    { ...patient, ...deadlines },
  )
  closing.push(() => upstream.close())
  return upstream
}

const get: UpstreamCall = { api: "program", method: "GET", path: "/members", query: new URLSearchParams() }

async function answeredBy(
  listener: RequestListener,
  call: Partial<UpstreamCall> = {},
  deadlines: Partial<Deadlines> = {},
): Promise<UpstreamResult> {
  const upstream = client(await listening(createServer(listener)), deadlines)
  return upstream.send({ ...get, ...call })
}

/** A service that answers with exactly these bytes and then closes or not. */
async function answeredWith(
  bytes: string,
  then: "end" | "destroy" | "keep",
  deadlines: Partial<Deadlines> = {},
): Promise<UpstreamResult> {
  const port = await listening(
    createTcpServer((socket) => {
      socket.on("error", () => undefined)
      socket.once("data", () => {
        socket.write(bytes, () => {
          if (then === "end") socket.end()
          if (then === "destroy") socket.resetAndDestroy()
        })
      })
    }),
  )
  return client(port, deadlines).send(get)
}

describe("what is sent", () => {
  it("sends path, query and body, with the key in the Authorization header only", async () => {
    let seen: IncomingMessage | undefined
    let body = ""
    await answeredBy(
      (request, response) => {
        seen = request
        request.setEncoding("utf8").on("data", (piece: string) => (body += piece))
        request.on("end", () => response.end("{}"))
      },
      {
        method: "PATCH",
        path: "/members/a%2Fb%3Fc%23d%25",
        query: new URLSearchParams({ page: "2" }),
        body: { company: "Ünicode ☀" },
      },
    )
    expect(seen?.method).toBe("PATCH")
    expect(seen?.url).toBe("/v1/members/a%2Fb%3Fc%23d%25?page=2")
    expect(JSON.parse(body)).toEqual({ company: "Ünicode ☀" })
    const { authorization, ...others } = seen?.headers ?? {}
    expect(authorization).toBe("Bearer key-very-secret")
    expect(JSON.stringify({ ...others, url: seen?.url, body })).not.toContain("key-very-secret")
    expect(Object.keys(others).toSorted()).toEqual([
      "accept",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ])
  })
})

describe("an answer", () => {
  it("is parsed JSON with the service's own time and its Retry-After", async () => {
    const outcome = await answeredBy((_, response) => {
      response.writeHead(429, { Date: "Fri, 20 Nov 2026 01:02:03 GMT", "Retry-After": "7" })
      response.end('{"success":false,"error":{"code":"limited"}}')
    })
    expect(outcome).toMatchObject({
      kind: "answer",
      status: 429,
      body: { success: false, error: { code: "limited" } },
      serviceTime: Date.UTC(2026, 10, 20, 1, 2, 3),
      retryAfter: 7,
    })
  })

  it("has no body with 204", async () => {
    const outcome = await answeredBy((_, response) => response.writeHead(204).end())
    expect(outcome).toMatchObject({ kind: "answer", status: 204, body: undefined })
  })

  it("arrives without any secret", async () => {
    const order = { order_id: "o1", fulfillment: { type: "digital", code: "GIFT-CODE" } }
    const outcome = await answeredBy((_, response) =>
      response.end(JSON.stringify({ data: [{ id: "c1", redeemUrl: "https://redeem.test/x" }, order] })),
    )
    expect(outcome).toMatchObject({
      body: { data: [{ id: "c1" }, { order_id: "o1", fulfillment: { type: "digital" } }] },
    })
    expect(JSON.stringify(outcome)).not.toMatch(/GIFT-CODE|redeem\.test/)
  })
})

it("a refusal that repeats the key arrives without it", async () => {
  const outcome = await answeredBy((request, response) => {
    const message = `Invalid API key ${request.headers.authorization ?? ""}`
    response.writeHead(401).end(JSON.stringify({ success: false, error: { code: "unauthorized", message } }))
  })
  expect(outcome).toMatchObject({ status: 401, body: { error: { message: "Invalid API key Bearer [key]" } } })
})

describe("an unreadable answer", () => {
  it.each([
    ["a web page", "<!doctype html><h1>502</h1>"],
    ["an empty response", ""],
    ["invalid or incomplete JSON", '{"success":true,"data":[{"id":'],
  ])("is %s", async (what, text) => {
    const outcome = await answeredBy((_, response) => response.writeHead(200).end(text))
    expect(outcome).toMatchObject({ kind: "unreadable", status: 200, what })
  })

  it("is a redirect, which is not followed", async () => {
    let requests = 0
    const outcome = await answeredBy((_, response) => {
      requests += 1
      response.writeHead(302, { Location: "/v1/elsewhere" }).end("{}")
    })
    expect(outcome).toMatchObject({ kind: "unreadable", status: 302, what: "a redirect" })
    expect(requests).toBe(1)
  })

  it("is one of more than 16 MB", async () => {
    const body = `"${"x".repeat(16_000_001)}"`
    const outcome = await answeredBy((_, response) => response.end(body))
    expect(outcome).toMatchObject({ kind: "unreadable", status: 200, what: "a response over 16 MB" })
  })

  it("is one that is nested too deep to be parsed", async () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    const deep = await answeredBy((_, response) => response.end(nested(201)))
    expect(deep).toMatchObject({ kind: "unreadable", status: 200, what: "a response nested too deep" })
    const flat = await answeredBy((_, response) =>
      response.end(`{"text":"${"[".repeat(300)}","a":${nested(199)}}`),
    )
    expect(flat).toMatchObject({ kind: "answer" })
  })

  it("is one that is shorter than it says", async () => {
    const outcome = await answeredWith('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":', "end")
    expect(outcome).toMatchObject({ kind: "unreadable", status: 200, what: "the response was cut short" })
  })
})

describe("no answer", () => {
  it("is a connection that closes after the request went out", async () => {
    const outcome = await answeredWith("", "destroy")
    expect(outcome).toMatchObject({ kind: "no_answer", what: "the connection was closed" })
  })

  it("is a service that hangs", async () => {
    const outcome = await answeredWith("", "keep", { headers: 200 })
    expect(outcome).toMatchObject({ kind: "no_answer", what: "no response in time" })
  })

  it("is an answer that stops half-way", async () => {
    const outcome = await answeredWith("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "keep", {
      body: 200,
    })
    expect(outcome).toMatchObject({ kind: "no_answer", what: "the response stopped" })
  })

  it("a response whose first lines come late is no response once the call's deadline passed", () => {
    expect(deadlinesOf({ total: 60_000 })).toMatchObject({ headers: 60_000, total: 60_000 })
    expect(deadlinesOf().headers).toBe(deadlinesOf().total)
  })

  it("is an answer that drips past the whole call's deadline", async () => {
    // On a clock of the test's own: the deadline is over once the answer drips, not before.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const dripping = Promise.withResolvers<void>()
    const answer = answeredBy(
      (_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write(" "), 20)
        response.on("close", () => clearInterval(drip))
        dripping.resolve()
      },
      {},
      { total: 1000 },
    )
    await dripping.promise
    vi.advanceTimersByTime(1000)
    const outcome = await answer
    vi.useRealTimers()
    expect(outcome).toMatchObject({ kind: "no_answer", what: "no response in time" })
  })
})

describe("not sent", () => {
  it("is a refused connection", async () => {
    const server = createTcpServer()
    const port = await listening(server)
    await closing.pop()?.()
    expect(await client(port).send(get)).toMatchObject({
      kind: "not_sent",
      what: "the connection was refused",
    })
  })

  it("an unknown host name is an error before sending", async () => {
    const upstream = createUpstream({
      program: { baseUrl: "http://nobody.invalid/v1", apiKey: "k" },
    })
    closing.push(() => upstream.close())
    expect(await upstream.send(get)).toMatchObject({ kind: "not_sent" })
  })

  it.each([
    ["the step's", { ...patient, connect: 200 }, "no connection in time"],
    ["the whole call's", { ...patient, connect: 2000, total: 200 }, "no connection became free in time"],
  ])("is a connection that does not come about within %s deadline", async (_, deadlines, what) => {
    // It accepts, but never says the first word of TLS.
    const port = await listening(createTcpServer(() => undefined))
    const upstream = createUpstream(
      { program: { baseUrl: `https://127.0.0.1:${port}/v1`, apiKey: "k" } },
      deadlines,
    )
    closing.push(() => upstream.close())
    expect(await upstream.send(get)).toMatchObject({ kind: "not_sent", what })
  })

  it("is a call that was given up while every connection was busy, then or later", async () => {
    const waiting: ServerResponse[] = []
    let seen = 0
    const port = await listening(
      createServer((_, response) => {
        seen += 1
        waiting.push(response)
        if (waiting.length === 32) allBusy.resolve()
      }),
    )
    const allBusy = Promise.withResolvers<void>()
    const upstream = client(port)
    const busy = Array.from({ length: 32 }, () => upstream.send(get))
    await allBusy.promise
    const leaving = new AbortController()
    const given = upstream.send({ ...get, signal: leaving.signal })
    leaving.abort(new Error("the person left"))
    await expect(given).rejects.toThrow("the person left")
    for (const response of waiting) response.end("{}")
    expect((await Promise.all(busy)).every(({ kind }) => kind === "answer")).toBe(true)
    const after = upstream.send(get)
    while (waiting.length < 33) await new Promise<void>((resolve) => setImmediate(resolve))
    waiting.at(-1)?.end("{}")
    await after
    expect(seen).toBe(33)
  })

  it("rejects with the signal's reason when it was aborted before", async () => {
    const port = await listening(createServer((_, response) => response.end("{}")))
    const reason = new Error("the person left")
    await expect(client(port).send({ ...get, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

it("uses a connection again", async () => {
  let connections = 0
  const server = createServer((_, response) => response.end("{}"))
  server.on("connection", () => (connections += 1))
  const port = await listening(server)
  const upstream = client(port)
  for (let call = 0; call < 5; call += 1) await upstream.send(get)
  expect(connections).toBeLessThanOrEqual(2)
})
