import { expect, it } from "vitest"
import { cardReader, issuedCardReader } from "../contract/giftcard/card.ts"
import { memberListReader, memberReader } from "../contract/program/member.ts"
import { orderListReader, orderReader } from "../contract/program/order.ts"
import { balanceReader, bulkAwardReader, transactionListReader } from "../contract/program/points.ts"
import { rewardListReader, rewardReader } from "../contract/program/reward.ts"
import type { Reader } from "../contract/reader.ts"
import { ana, testClient, type TestAnswer } from "./testing/client.ts"

function faithful(reader: Reader<unknown>, { body }: TestAnswer): void {
  expect(reader.read(body["data"])).toMatchObject({ ok: true, drift: [] })
}

it("answers in the documented shapes: no drift on any endpoint that has one", async () => {
  const { program, giftcard } = testClient()
  faithful(memberListReader, await program("GET", "/members?per_page=100"))
  faithful(memberReader, await program("GET", `/members/${ana}`))
  faithful(memberReader, await program("PATCH", `/members/${ana}`, { company: "New" }))
  faithful(balanceReader, await program("GET", `/members/${ana}/balance`))
  faithful(transactionListReader, await program("GET", `/members/${ana}/transactions?per_page=100`))
  faithful(
    bulkAwardReader,
    await program("POST", "/points/award/bulk", { awards: [{ member_id: ana, points: 1, reason: "x" }] }),
  )
  faithful(rewardListReader, await program("GET", "/rewards?per_page=100"))
  faithful(rewardReader, await program("GET", "/rewards/rew_Mk18Drill"))
  faithful(
    orderReader,
    await program("POST", "/rewards/redeem", { member_id: ana, reward_id: "rew_MovieVou2" }),
  )
  faithful(orderListReader, await program("GET", "/orders?per_page=100"))
  faithful(orderReader, await program("GET", "/orders/ord_20398"))
  faithful(orderReader, await program("PATCH", "/orders/ord_20398", { status: "shipped" }))
  const member = { email: "ana.silva@coastalclimate.com.au", firstname: "Ana", lastname: "Silva" }
  faithful(
    issuedCardReader,
    await giftcard("POST", "/giftcard/cards", { member, denomination: 50, externalRef: "R" }),
  )
  faithful(cardReader, await giftcard("GET", "/giftcard/cards/R"))
})
