import * as fc from "fast-check"
import { expect, it } from "vitest"
import { dropSecrets } from "./secrets.ts"

const secret = "https://redeem.test/one-time"

it("drops redeem links and digital codes at any depth and keeps everything else", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (around, beside) => {
      const answer = {
        around,
        data: [
          { id: "c1", redeemUrl: secret, beside },
          {
            order_id: "o1",
            fulfillment: { type: "digital", code: secret, parts: [{ code: secret, no: 1 }] },
          },
        ],
        error: { code: "not_found" },
      }
      const dropped = dropSecrets(structuredClone(answer))
      expect(JSON.stringify(dropped)).not.toContain(secret)
      expect(dropped).toMatchObject({
        data: [{ id: "c1" }, { order_id: "o1", fulfillment: { type: "digital", parts: [{ no: 1 }] } }],
        error: { code: "not_found" },
      })
    }),
  )
})

it("leaves what is no object as it is", () => {
  for (const value of [null, undefined, "text", 3, true]) expect(dropSecrets(value)).toBe(value)
})
