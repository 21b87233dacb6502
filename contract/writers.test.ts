import listedCodes from "countries-list/minimal/countries.2to3.min.json"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { awardRow } from "./kinds/points.ts"
import { issueCardBody } from "./giftcard/card.ts"
import { createMemberBody, updateMemberBody } from "./program/member.ts"
import { awardBody, bulkAwardBody, deductBody } from "./program/points.ts"
import { countryCodes } from "./program/common.ts"
import { redeemBody } from "./program/reward.ts"

const bodies = {
  createMember: [createMemberBody, { email: "a@b.example", first_name: "Ana", last_name: "Silva" }],
  updateMember: [updateMemberBody, { company: "Coastal Climate Co" }],
  award: [awardBody, { member_id: "mem_1", points: 1, reason: "Bonus" }],
  bulkAward: [bulkAwardBody, { awards: [{ member_id: "mem_1", points: 1, reason: "Bonus" }] }],
  deduct: [deductBody, { member_id: "mem_1", points: 1, reason: "Returned" }],
  redeem: [redeemBody, { member_id: "mem_1", reward_id: "rew_1" }],
  card: [
    issueCardBody,
    {
      member: { email: "a@b.example", firstname: "Ana", lastname: "Silva" },
      denomination: 50,
      cardId: "card_1",
      externalRef: "r-1",
      idempotencyKey: "k-1",
    },
  ],
} as const

describe("strict writers", () => {
  it.each(Object.entries(bodies))(
    "%s accepts its smallest body and no further field",
    (_name, [schema, body]) => {
      expect(schema.safeParse(body).success).toBe(true)
      expect(schema.safeParse({ ...body, role: "admin" }).success).toBe(false)
    },
  )

  it.each([0, -1, 1.5, Number.NaN, "5", 1e12])("no award of %s points", (points) => {
    expect(awardBody.safeParse({ member_id: "m", points, reason: "r" }).success).toBe(false)
  })

  it("trims what people type and refuses what is only blank", () => {
    expect(deductBody.parse({ member_id: "m", points: 1, reason: "  Returned unit " }).reason).toBe(
      "Returned unit",
    )
    expect(deductBody.safeParse({ member_id: "m", points: 1, reason: "   " }).success).toBe(false)
  })

  it("knows every assigned country code of ISO 3166-1 and no other", () => {
    const listed = Object.keys(listedCodes).filter((code) => !["AC", "TA"].includes(code))
    expect([...countryCodes].toSorted()).toEqual(listed.toSorted())
    const to = (country: string) => ({
      ...bodies.redeem[1],
      shipping_address: { name: "Ana", line1: "1 Hay St", city: "Perth", postal_code: "6000", country },
    })
    for (const code of ["AU", "NZ", "GB"]) expect(redeemBody.safeParse(to(code)).success).toBe(true)
    for (const code of ["UK", "ZZ", "AUS", "au", ""]) {
      const { issues = [] } = redeemBody.safeParse(to(code)).error ?? {}
      expect(issues.map(({ path }) => path.join("."))).toEqual(["shipping_address.country"])
    }
  })

  it("refuses text that a store could not keep", () => {
    for (const first_name of ["Ana\u0000", "Ana\ud800"]) {
      expect(createMemberBody.safeParse({ ...bodies.createMember[1], first_name }).success).toBe(false)
    }
    expect(createMemberBody.safeParse({ ...bodies.createMember[1], first_name: "Ánà 🌿" }).success).toBe(true)
  })

  it("changes at least one field, never the e-mail, never to pending", () => {
    expect(updateMemberBody.safeParse({}).success).toBe(false)
    expect(updateMemberBody.safeParse({ email: "x@y.example" }).success).toBe(false)
    expect(updateMemberBody.safeParse({ status: "pending" }).success).toBe(false)
  })

  it.each([29, 366, 90.5])("no card that expires in %s days", (expiryDays) => {
    expect(issueCardBody.safeParse({ ...bodies.card[1], expiryDays }).success).toBe(false)
  })

  it("issues nothing without reference and key; the template may be left to the service", () => {
    for (const field of ["externalRef", "idempotencyKey"] as const) {
      const { [field]: _, ...without } = bodies.card[1]
      expect(issueCardBody.safeParse(without).success).toBe(false)
    }
  })

  it.each(["javascript:alert(1)", "data:text/html,x", "not an address"])(
    "no unsubscribe link such as %s",
    (unsubscribeUrl) => {
      const [schema, body] = bodies.card
      expect(schema.safeParse({ ...body, unsubscribeUrl }).success).toBe(false)
      expect(schema.safeParse({ ...body, unsubscribeUrl: "https://program.example/stop" }).success).toBe(true)
    },
  )

  it.each(['{"a":{"__proto__":""}}', '{"a":{"b":[{"__proto__":{}}]}}'])(
    "no metadata that would lose a key on its way: %s",
    (text) => {
      const metadata: unknown = JSON.parse(text)
      expect(updateMemberBody.safeParse({ metadata }).success).toBe(false)
    },
  )

  it.each([{ n: 9007199254740992 }, { deep: [{ n: -1e21 }] }])(
    "no new metadata with a number that may have been rounded: %j",
    (metadata) => {
      const award = { member_id: "mem_1", points: 1, reason: "r", metadata }
      const member = { email: "a@b.example", first_name: "A", last_name: "B", metadata }
      expect(awardRow.safeParse(award).success).toBe(false)
      expect(createMemberBody.safeParse(member).success).toBe(false)
      const accepted = { ...award, metadata: { n: 9007199254740991, part: 0.5 } }
      expect(awardRow.safeParse(accepted).success).toBe(true)
    },
  )

  it("keeps metadata exactly as it is", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,19}$/), fc.jsonValue({ maxDepth: 2 }), {
          maxKeys: 20,
        }),
        (metadata) => {
          const text = JSON.stringify(metadata)
          fc.pre(text.length < 1500 && !text.includes("__proto__"))
          expect(updateMemberBody.parse({ metadata })).toEqual({ metadata })
        },
      ),
    )
  })
})
