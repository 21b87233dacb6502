/**
 * A service that returns 25 members for every member list, so that a measurement leaves only the hop in front of it.
 * Runs in its own process with PORT. `GET /delay?20` sets the response time to 20 ms. With CHANGING, every response
 * differs from the previous one in one balance, as in an active program.
 */
import { createServer } from "node:http"

const bodies = Array.from({ length: process.env.CHANGING === undefined ? 1 : 50 }, (_, turn) => bodyOf(turn))
let delay = 0
let turn = 0

createServer((request, response) => {
  if (request.url?.startsWith("/delay?") === true) delay = Number(request.url.slice("/delay?".length))
  const body = bodies[(turn += 1) % bodies.length] ?? ""
  const answer = () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    response.end(body)
  }
  if (delay > 0) setTimeout(answer, delay)
  else answer()
}).listen(Number(process.env.PORT), "127.0.0.1", () => {
  process.stdout.write("ready\n")
})

function bodyOf(turn: number): string {
  const members = Array.from({ length: 25 }, (_, index) => ({
    id: `mem_${index}`,
    email: `person${index}@coastalclimate.example`,
    first_name: "Ana",
    last_name: `Silva ${index}`,
    company: "Coastal Climate Co",
    phone: "+61 7 5447 0182",
    points_balance: 12_480 + index + (index === 7 ? turn : 0),
    tier: "Gold",
    status: "active",
    metadata: { dealer_code: `KA-QLD-${index}`, region: "Sunshine Coast" },
    created_at: "2025-03-03T00:00:00Z",
    updated_at: "2026-11-21T00:00:00Z",
  }))
  return JSON.stringify({ success: true, data: members, meta: { page: 1, per_page: 25, total: 25 } })
}
