/**
 * A service that answers every member list at once with the same 25 members: what remains in a measurement is the
 * hop in front of it. Run as a process of its own with PORT, and DELAY for a service that takes so many ms.
 */
import { createServer } from "node:http"

const members = Array.from({ length: 25 }, (_, index) => ({
  id: `mem_${index}`,
  email: `person${index}@coastalclimate.example`,
  first_name: "Ana",
  last_name: `Silva ${index}`,
  company: "Coastal Climate Co",
  phone: "+61 7 5447 0182",
  points_balance: 12_480 + index,
  tier: "Gold",
  status: "active",
  metadata: { dealer_code: `KA-QLD-${index}`, region: "Sunshine Coast" },
  created_at: "2025-03-03T00:00:00Z",
  updated_at: "2026-11-21T00:00:00Z",
}))
const body = JSON.stringify({ success: true, data: members, meta: { page: 1, per_page: 25, total: 25 } })

const delay = Number(process.env.DELAY ?? 0)

createServer((_request, response) => {
  const answer = () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    response.end(body)
  }
  if (delay > 0) setTimeout(answer, delay)
  else answer()
}).listen(Number(process.env.PORT), "127.0.0.1", () => {
  process.stdout.write("ready\n")
})
