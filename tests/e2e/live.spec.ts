import { createServer, request as send, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, type Page } from "@playwright/test"
import * as z from "zod"
import { enter, test } from "./app.ts"

/** A proxy that sends the event stream's headers and holds its body, as buffering proxies do. */
async function holdEvents(target: string): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = "/", headers } = incoming
    const onward = send(new URL(url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      if (url === "/api/events") {
        outgoing.flushHeaders()
        response.resume()
      } else response.pipe(outgoing)
    })
    outgoing.on("close", () => onward.destroy())
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server }
}

const members = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Starts an award for some members. */
async function startAward(page: Page, url: string, count: number): Promise<void> {
  const list = await page.request.get(`${url}/api/program/members?status=active&per_page=${count}`)
  const rows = members
    .parse(await list.json())
    .data.map(({ id }) => ({ member_id: id, points: 10, reason: "Behind a proxy" }))
  const headers = { "X-Laurel": "1", "Idempotency-Key": crypto.randomUUID() }
  const data = { kind: "award", rows, options: { mode: "single" } }
  const response = await page.request.post(`${url}/api/jobs`, { headers, data })
  expect(response.ok()).toBe(true)
}

test("a proxy that holds the event stream leaves no job unfinished on the screen", async ({
  page,
  builtIn,
}) => {
  const { url, server } = await holdEvents(builtIn.url)
  try {
    await enter(page, url, "admin", "/jobs")
    await expect(page.getByRole("heading", { name: "Activity" })).toBeVisible()
    // Only polling can show the job and its end.
    await startAward(page, url, 40)
    const row = page.getByRole("row").filter({ hasText: "Award of 400 points" })
    await expect(row.getByText("Done")).toBeVisible()
    await expect(page.getByText("Updates are delayed")).toBeVisible()
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
