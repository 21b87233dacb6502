import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { expect, test } from "vitest"
import { listen, ListenRefused } from "./listen.ts"

function open(port: number): Socket {
  // A server that lets a client go may do so without a farewell.
  return connect(port, "127.0.0.1").on("error", () => {})
}

test("a busy port is one sentence, and no other port is tried", async () => {
  const first = await listen((_req, res) => res.end(), "127.0.0.1", 0)
  const second = listen((_req, res) => res.end(), "127.0.0.1", first.port)
  await expect(second).rejects.toThrow(ListenRefused)
  await expect(second).rejects.toThrow(`Port ${first.port} on 127.0.0.1 is taken`)
  await first.close(0)
})

test("an address that is not this machine's is one sentence", async () => {
  await expect(listen(() => {}, "203.0.113.1", 0)).rejects.toThrow(/HOST is 203\.0\.113\.1/)
})

test("connections that send nothing, half a header or half a body are closed", async () => {
  const times = { headers: 60, request: 120 }
  const server = await listen((req, res) => req.resume().on("end", () => res.end()), "127.0.0.1", 0, times)
  const sent = ["", "GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"]
  const sockets = sent.map((text) => {
    const socket = open(server.port)
    socket.write(text)
    return once(socket.resume(), "close")
  })
  expect(await Promise.all(sockets)).toHaveLength(sent.length)
  await server.close(0)
})

test("500 half-open connections do not keep others waiting", async () => {
  // All connections stay open until the assertions ran: others must be served meanwhile.
  const times = { headers: 600_000, request: 600_000 }
  const server = await listen((_req, res) => res.end("ok"), "127.0.0.1", 0, times)
  const sockets = await Promise.all(
    Array.from({ length: 500 }, async () => {
      const socket = open(server.port)
      await once(socket, "connect")
      socket.write("GET /healthz HTTP/1.1\r\nHo")
      return socket
    }),
  )
  for (let at = 0; at < 20; at++) expect(await (await fetch(server.url)).text()).toBe("ok")
  expect(sockets.filter(({ closed }) => closed)).toEqual([])
  for (const socket of sockets) socket.destroy()
  await server.close(0)
})

test("a stop answers what is under way and takes nothing new", async () => {
  let answer: ServerResponse | undefined
  const server = await listen((_req, res) => (answer = res), "127.0.0.1", 0)
  const requests = fetch(server.url)
  await expect.poll(() => answer).toBeDefined()
  const closed = server.close(10_000)
  await expect(fetch(server.url)).rejects.toThrow("fetch failed")
  answer?.end("finished")
  expect(await (await requests).text()).toBe("finished")
  await closed
})

test("stop does not wait indefinitely", async () => {
  const server = await listen(() => {}, "127.0.0.1", 0)
  const requests = fetch(server.url).catch(() => "cut off")
  await server.close(0)
  expect(await requests).toBe("cut off")
})
