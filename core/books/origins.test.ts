import { expect, it } from "vitest"
import type { BookEntry } from "../copy/copy-store.ts"
import type { EntryTag } from "./book-store.ts"
import { Origins } from "./origins.ts"

const entry = (id: string, texts: Partial<BookEntry>): BookEntry => {
  const none = { type: "award", reason: "", reference: "", tag: "" }
  return { id, n: 1, points: 50, balance_after: 50, created_at: 1, ...none, ...texts }
}

it("an entry is ours by the tag of our row in reference, metadata or reason, and by no other text", async () => {
  const wanted = new Set(["7K2QX 3 null", "7K2QX null 1", "7K2QX null 2"])
  const key = ({ batchCode, row, ordinal }: EntryTag) => `${batchCode} ${row} ${ordinal}`
  const asked: EntryTag[] = []
  const books = {
    tagged: (tags: readonly EntryTag[]) => {
      asked.push(...tags)
      return Promise.resolve(tags.filter((tag) => wanted.has(key(tag))))
    },
  }
  const origins = new Origins({ jobs: { claims: () => Promise.resolve(new Map()) }, books }, [])
  const entries = [
    entry("reference", { reference: "7k2qx.3" }),
    entry("metadata", { reference: "inv-77", tag: "7k2qx.3" }),
    entry("reason", { reason: "q3 bonus · batch 7k2qx" }),
    entry("second", { reason: "q3 bonus · batch 7k2qx-2" }),
    entry("another row", { tag: "7k2qx.4" }),
    entry("more text", { tag: "x 7k2qx.3" }),
    entry("none", { reference: "inv-78" }),
  ]
  const ours = await origins.oursAmong([{ memberId: "mem_1", entries }])
  expect([...(ours.get("mem_1") ?? [])]).toEqual(["reference", "metadata", "reason", "second"])
  expect(asked.every(({ memberId, points }) => memberId === "mem_1" && points === 50)).toBe(true)
})
