import { expect, it } from "vitest"
import { cardReader, issuedCardReader } from "../contract/giftcard/card.ts"
import { memberListReader, memberReader } from "../contract/program/member.ts"
import { orderListReader, orderReader } from "../contract/program/order.ts"
import { balanceReader, bulkAwardReader, transactionListReader } from "../contract/program/points.ts"
import { rewardListReader, rewardReader } from "../contract/program/reward.ts"
import type { Reader } from "../contract/reader.ts"
import { ana, testClient } from "./testing/client.ts"

const member = { email: "ana.silva@coastalclimate.com.au", firstname: "Ana", lastname: "Silva" }
const reward = { member_id: ana, reward_id: "rew_MovieVou2" }
const award = { member_id: ana, points: 1, reason: "x" }

const endpoints: [
  reader: Reader<unknown>,
  api: "program" | "giftcard",
  method: string,
  path: string,
  body?: object,
][] = [
  [memberListReader, "program", "GET", "/members?per_page=100"],
  [memberReader, "program", "GET", `/members/${ana}`],
  [memberReader, "program", "PATCH", `/members/${ana}`, { company: "New" }],
  [balanceReader, "program", "GET", `/members/${ana}/balance`],
  [transactionListReader, "program", "GET", `/members/${ana}/transactions?per_page=100`],
  [bulkAwardReader, "program", "POST", "/points/award/bulk", { awards: [award] }],
  [rewardListReader, "program", "GET", "/rewards?per_page=100"],
  [rewardReader, "program", "GET", "/rewards/rew_Mk18Drill"],
  [orderReader, "program", "POST", "/rewards/redeem", reward],
  [orderListReader, "program", "GET", "/orders?per_page=100"],
  [orderReader, "program", "GET", "/orders/ord_20398"],
  [orderReader, "program", "PATCH", "/orders/ord_20398", { status: "shipped" }],
  [issuedCardReader, "giftcard", "POST", "/giftcard/cards", { member, denomination: 50, externalRef: "R" }],
  [cardReader, "giftcard", "GET", "/giftcard/cards/NPS-2291"],
]

it.each(endpoints)("answers as documented, without drift (%#)", async (reader, api, method, path, body) => {
  const answer = await testClient()[api](method, path, body)
  expect(reader.read(answer.body["data"])).toMatchObject({ ok: true, drift: [] })
})
