import * as fc from "fast-check"
import { expect, it } from "vitest"
import { dropSecrets, keyHider, parseUpstreamResponse, retryAfterSeconds } from "./upstream-response.ts"

const secret = "https://redeem.test/one-time"

it("drops redeem links and digital codes at any depth and keeps everything else", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (around, other) => {
      const answer = {
        around,
        data: [
          { id: "c1", redeemUrl: secret, other },
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

it("drops a flat code of an order, and links under other spellings", () => {
  const answer = [
    { order_id: "o1", code: secret, status: "completed" },
    { redeem_url: secret, RedeemURL: secret, gift_card_code: secret, code: "not an order's" },
  ]
  expect(dropSecrets(answer)).toEqual([{ order_id: "o1", status: "completed" }, { code: "not an order's" }])
})

it("never takes a text with a secret for one without", () => {
  const holders = [
    { order_id: "o1", code: secret },
    { data: [{ redeem_url: secret }] },
    { RedeemURL: secret },
    { "gift-card-code": secret },
    { giftCardCode: secret },
    { Fulfillment: { Code: secret } },
  ]
  for (const holder of holders) {
    const text = JSON.stringify(holder)
    expect(JSON.stringify(parseUpstreamResponse(200, text))).not.toContain(secret)
    const [name = ""] = Object.keys(holder)
    const hidden = text.replaceAll(name, `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`)
    expect(JSON.stringify(parseUpstreamResponse(200, hidden))).not.toContain(secret)
  }
})

it("takes a key out of a text, as it is and as JSON writes it", () => {
  const key = 'live/key"with-signs'
  const text = `{"message":"Bad ${JSON.stringify(key).slice(1, -1)} or live\\/key\\"with-signs, ${key}"}`
  expect(keyHider(key)(text)).toBe('{"message":"Bad [key] or [key], [key]"}')
  expect(keyHider("a")("a table")).toBe("a table")
})

it("never passes a name over, however it is spelt", () => {
  const spelling = fc.tuple(
    fc.constantFrom("redeemUrl", "redeemLink", "giftCardCode"),
    fc.array(fc.constantFrom("", "", "_", "-", "__"), { minLength: 12, maxLength: 12 }),
    fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  )
  fc.assert(
    fc.property(spelling, ([name, separators, capitals]) => {
      const spelt = name
        .split("")
        .map((letter, at) => `${separators[at]}${capitals[at] ? letter.toUpperCase() : letter}`)
        .join("")
      expect(JSON.stringify(parseUpstreamResponse(200, JSON.stringify({ [spelt]: secret })))).not.toContain(
        secret,
      )
    }),
  )
})

it("removes the link and its token from the sentence of an issued card, and keeps the rest", () => {
  const link = "https://redeem.test/c/4f9a0b7c55e1?x=1#t=99aa88bb77cc"
  const message = `Issued: ${link} (99aa88bb77cc), valid for 90 days`
  const text = JSON.stringify({ data: { id: "gc_1", redeemUrl: link }, message })
  let secretFound = ""
  const read = parseUpstreamResponse(201, text, (found) => (secretFound = found))
  expect(read).toMatchObject({
    body: { data: { id: "gc_1" }, message: "Issued: [link] ([link]), valid for 90 days" },
  })
  expect(secretFound).toBe(link)
})

it("reads JSON, with or without a byte order mark", () => {
  expect(parseUpstreamResponse(200, '\uFEFF{"data":1}')).toEqual({
    kind: "answer",
    status: 200,
    body: { data: 1 },
  })
})

it("gives text that every store keeps: a NUL and half a surrogate pair are replaced, in names too", () => {
  const body = (text: string) => parseUpstreamResponse(200, `{"${text}":"${text}"}`)
  for (const [sent, saved] of [
    [String.raw`Beth \uD83d`, "Beth \uFFFD"],
    [String.raw`\ude00\ud83d\u0000`, "\uFFFD\uFFFD\uFFFD"],
    [String.raw`\ud83d\ude00\u00e9`, "😀é"],
    [String.raw`\\u0000`, String.raw`\u0000`],
    ["Ana 😀", "Ana 😀"],
  ] as const)
    expect(body(sent)).toMatchObject({ body: { [saved]: saved } })
})

it("reads an error's body as it reads any other, so that its code is known", () => {
  expect(parseUpstreamResponse(404, '{"error":{"code":"not_found"}}')).toMatchObject({
    kind: "answer",
    status: 404,
  })
  expect(parseUpstreamResponse(404, "<html>Not here</html>")).toMatchObject({
    kind: "unreadable",
    what: "a web page",
  })
})

it("understands both forms of Retry-After and nothing else", () => {
  const now = Date.UTC(2026, 10, 20)
  expect(retryAfterSeconds("30", now)).toBe(30)
  expect(retryAfterSeconds("Fri, 20 Nov 2026 00:00:10 GMT", now)).toBe(10)
  expect(retryAfterSeconds("Thu, 19 Nov 2026 00:00:10 GMT", now)).toBe(0)
  expect([undefined, "soon", "-1", ""].map((text) => retryAfterSeconds(text, now))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
