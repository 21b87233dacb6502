import { expect, it } from "vitest"
import { memberReader } from "../contract/program/member.ts"
import { orderReader } from "../contract/program/order.ts"
import { ana, testClient } from "../tests/support/sandbox/client.ts"

// Reads, awards and cards are compared in tests/contract/sandbox.test.ts.
it.each([
  [memberReader, "PATCH", `/members/${ana}`, { company: "New" }],
  [memberReader, "POST", "/members", { email: "n@outback.example", first_name: "N", last_name: "O" }],
  [orderReader, "POST", "/rewards/redeem", { member_id: ana, reward_id: "rew_MovieVou2" }],
  [orderReader, "PATCH", "/orders/ord_20398", { status: "shipped", tracking_number: "1", carrier: "TNT" }],
])("answers a write as documented, without drift (%#)", async (reader, method, path, body) => {
  const answer = await testClient().program(method, path, body)
  expect(reader.read(answer.body["data"])).toMatchObject({ ok: true, drift: [] })
})
