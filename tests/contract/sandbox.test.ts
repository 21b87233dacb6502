import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { cardReader, issueAnswer, issuedCardReader } from "../../contract/giftcard/card.ts"
import { paginationMeta } from "../../contract/program/common.ts"
import { leaderboardReader } from "../../contract/program/leaderboard.ts"
import { memberListReader, memberReader } from "../../contract/program/member.ts"
import { orderListReader, orderReader } from "../../contract/program/order.ts"
import {
  balanceReader,
  bulkAwardReader,
  transactionListReader,
  transactionReader,
} from "../../contract/program/points.ts"
import { rewardListReader, rewardReader } from "../../contract/program/reward.ts"
import type { Reader } from "../../contract/reading.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"

/** A success response of the program service. Orders and leaderboards have no `meta`. */
const successEnvelope = z.looseObject({
  success: z.optional(z.literal(true)),
  data: z.unknown(),
  meta: z.optional(z.nullable(paginationMeta)),
})

let sandbox: Sandbox

beforeEach(() => {
  sandbox = createSandbox({ members: 50, rateLimit: 0, giftcardRateLimit: 0 })
})

async function request(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await sandbox.fetch(
    new Request(`http://services.test${path}`, {
      method,
      headers: { authorization: `Bearer ${demoKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true)
  return answer.json()
}

const program = async (method: string, path: string, body?: unknown) =>
  successEnvelope.parse(await request(method, `/v1${path}`, body)).data

function differences(reader: Reader<unknown>, raw: unknown): unknown {
  const outcome = reader.read(raw)
  return outcome.ok ? outcome.drift : outcome.reason
}

async function firstId(path: string, field = "id"): Promise<string> {
  const rows = z.array(z.record(z.string(), z.unknown())).parse(await program("GET", path))
  return z.string().parse(rows[0]?.[field])
}

describe("sandbox responses match the API documents", () => {
  it("reads match their documents", async () => {
    const member = await firstId("/members?status=active")
    const reads: [string, Reader<unknown>][] = [
      ["/members", memberListReader],
      [`/members/${member}`, memberReader],
      [`/members/${member}/balance`, balanceReader],
      [`/members/${member}/transactions`, transactionListReader],
      ["/rewards", rewardListReader],
      [`/rewards/${await firstId("/rewards")}`, rewardReader],
      ["/orders", orderListReader],
      [`/orders/${await firstId("/orders", "order_id")}`, orderReader],
      ["/leaderboards", leaderboardReader],
      [`/leaderboards/${await firstId("/leaderboards")}/rankings`, leaderboardReader],
    ]
    for (const [path, reader] of reads) {
      expect([path, differences(reader, await program("GET", path))]).toEqual([path, []])
    }
  })

  it("writes match their documents except for the award's balance field", async () => {
    const member_id = await firstId("/members?status=active")
    const award = await program("POST", "/points/award", { member_id, points: 500, reason: "Bonus" })
    expect(differences(transactionReader, award)).toEqual([{ field: "balance_after", kind: "empty" }])
    const bulk = await program("POST", "/points/award/bulk", {
      awards: [{ member_id, points: 5, reason: "Bonus" }],
    })
    expect(differences(bulkAwardReader, bulk)).toEqual([])
    const deduct = await program("POST", "/points/deduct", { member_id, points: 5, reason: "Returned" })
    expect(transactionReader.read(deduct)).toMatchObject({ ok: true, value: { points: -5 } })
  })

  it("issued and looked up cards match their document", async () => {
    const answer = issueAnswer.parse(
      await request("POST", "/api/v1/external/giftcard/cards", {
        member: { email: "new.person@coastal.example", firstname: "New", lastname: "Person" },
        denomination: 50,
        cardId: "card_tradevisa",
        externalRef: "contract-1",
      }),
    )
    expect(answer).toMatchObject({ memberCreated: true })
    expect(differences(issuedCardReader, answer.data)).toEqual([])
    const card = issueAnswer.parse(await request("GET", "/api/v1/external/giftcard/cards/contract-1"))
    expect(differences(cardReader, card.data)).toEqual([])
    expect(card.data).not.toHaveProperty("redeemUrl")
  })
})
