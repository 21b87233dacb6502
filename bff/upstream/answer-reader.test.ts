import { describe, expect, it } from "vitest"
import { createAnswerReader } from "./answer-reader.ts"

const key = "key-very-secret"
const list = '{"success":true,"data":[{"id":"mem_1","points_balance":5}]}'

function bodyOf(read: ReturnType<typeof createAnswerReader>, text: string, question?: string): unknown {
  const answer = read(200, Buffer.from(text), question)
  return answer.kind === "answer" ? answer.body : answer.what
}

describe("an answer that came again byte for byte", () => {
  it("is the same object", () => {
    const read = createAnswerReader(key)
    const first = bodyOf(read, list, "/v1/members?page=1")
    expect(first).toEqual(JSON.parse(list))
    expect(bodyOf(read, list, "/v1/members?page=1")).toBe(first)
  })

  it("is read anew for another question, and where it does not answer a read", () => {
    const read = createAnswerReader(key)
    const first = bodyOf(read, list, "/v1/members?page=1")
    expect(bodyOf(read, list, "/v1/members?page=2")).not.toBe(first)
    expect(bodyOf(read, list)).not.toBe(bodyOf(read, list))
  })

  it("is read anew after another answer came in between", () => {
    const read = createAnswerReader(key)
    const first = bodyOf(read, list, "/v1/members")
    expect(bodyOf(read, list.replace("5", "6"), "/v1/members")).toMatchObject({
      data: [{ points_balance: 6 }],
    })
    expect(bodyOf(read, list, "/v1/members")).not.toBe(first)
  })

  it("does not outlive the bytes it came in", () => {
    const read = createAnswerReader(key)
    const bytes = Buffer.from(list)
    read(200, bytes, "/v1/members")
    bytes.fill(0x20)
    expect(bodyOf(read, " ".repeat(list.length), "/v1/members")).toBe("an empty response")
  })
})

describe("what is never kept", () => {
  it.each([
    ["a redeem link", '{"data":{"redeemUrl":"https://cards.example/x"}}'],
    ["an order, which may carry a code", '{"data":{"order_id":"ord_1","code":"AAAA-BBBB"}}'],
    ["a name hidden by escapes", '{"data":{"redeem\\u0055rl":"https://cards.example/x"}}'],
  ])("%s", (_, text) => {
    const read = createAnswerReader(key)
    const first = bodyOf(read, text, "/v1/thing")
    expect(JSON.stringify(first)).not.toMatch(/cards\.example|AAAA/)
    expect(bodyOf(read, text, "/v1/thing")).not.toBe(first)
  })

  it("is an answer that repeats the key", () => {
    const read = createAnswerReader(key)
    const text = `{"data":{"note":"${key}"}}`
    const first = bodyOf(read, text, "/v1/thing")
    expect(first).toEqual({ data: { note: "[key]" } })
    expect(bodyOf(read, text, "/v1/thing")).not.toBe(first)
  })

  it("is an answer that cannot be used", () => {
    const read = createAnswerReader(key)
    expect(bodyOf(read, "<html>", "/v1/thing")).toBe("a web page")
    expect(bodyOf(read, "<html>", "/v1/thing")).toBe("a web page")
    expect(bodyOf(read, list, "/v1/thing")).toEqual(JSON.parse(list))
  })
})

it("forgets the oldest when it holds too much", () => {
  const read = createAnswerReader(key)
  const long = JSON.stringify({ data: "x".repeat(3_000_000) })
  const [first, , third] = ["/a", "/b", "/c"].map((question) => bodyOf(read, long, question))
  expect(bodyOf(read, long, "/c")).toBe(third)
  expect(bodyOf(read, long, "/a")).not.toBe(first)
})
