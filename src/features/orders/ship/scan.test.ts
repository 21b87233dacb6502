import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type FieldEvent,
  type Meaning,
  nextCheck,
  nothingRead,
  type Read,
  readField,
  shortestScan,
} from "./scan.ts"

const scanning: Meaning = { commands: "us", alone: 350 }
const asking: Meaning = { commands: "123yn", alone: 150 }

/** Plays events into a field, with the checks that a timer would run when due. */
function play(events: readonly FieldEvent[], meaning = scanning): Read[] {
  const reads: Read[] = []
  let reading = nothingRead
  const take = (event: FieldEvent) => {
    const step = readField(reading, event, meaning)
    reading = step.reading
    if (step.read !== undefined) reads.push(step.read)
  }
  const lookUntil = (at: number) => {
    for (let due = nextCheck(reading, meaning); due !== null && due < at; due = nextCheck(reading, meaning)) {
      const before = reading
      take({ type: "look", at: due })
      if (reading === before) break
    }
  }
  for (const event of events) {
    lookUntil(event.at)
    take(event)
  }
  lookUntil(Infinity)
  return reads
}

/** Characters with the gaps before them, optionally with Enter at the end. */
function keys(text: string, gaps: readonly number[], enter: boolean, from = 1000): FieldEvent[] {
  let at = from
  const events: FieldEvent[] = Array.from(text, (char, index) => {
    if (index > 0) at += gaps[(index - 1) % gaps.length] ?? 0
    return { type: "char", char, at }
  })
  if (enter) events.push({ type: "end", at: at + 5 })
  return events
}

const code = fc.stringMatching(/^[A-Z0-9_]{6,24}$/)
const scannerGaps = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 24 })
const handGaps = fc.array(fc.integer({ min: 60, max: 290 }), { minLength: 1, maxLength: 24 })

describe("a scanner", () => {
  it("is read as one text, whether it sends Enter or not", () => {
    fc.assert(
      fc.property(code, scannerGaps, fc.boolean(), (text, gaps, enter) => {
        expect(play(keys(text, gaps, enter))).toEqual([{ type: "text", text, by: "scanner" }])
      }),
    )
  })

  it("is read as two texts for two consecutive scans", () => {
    fc.assert(
      fc.property(
        code,
        code,
        fc.integer({ min: 600, max: 5000 }),
        fc.boolean(),
        (one, two, between, enter) => {
          const events = [
            ...keys(one, [10], enter),
            ...keys(two, [10], enter, 1000 + one.length * 10 + between),
          ]
          expect(play(events).map((read) => (read.type === "text" ? read.text : read.type))).toEqual([
            one,
            two,
          ])
        },
      ),
    )
  })

  it("is never read in part, however it hesitates", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(code, gaps, fc.boolean(), (text, uneven, enter) => {
        const reads = play(keys(text, uneven, enter))
        for (const [index, read] of reads.entries()) {
          if (read.type !== "text" || read.text === text) continue
          expect(reads.slice(index + 1).some(({ type }) => type === "broken" || type === "mixed")).toBe(true)
        }
      }),
    )
  })

  it("is not joined to text typed before it", () => {
    const events = [...keys("12", [120], false), ...keys("33ABC4401927", [8], true, 2000)]
    expect(play(events)).toEqual([{ type: "mixed", text: "1233ABC4401927" }])
  })

  it("is not confused with a key that is held down", () => {
    const events: FieldEvent[] = Array.from({ length: 12 }, (_, index) => ({
      type: "char",
      char: "7",
      at: 1000 + index * 30,
      repeated: index > 0,
    }))
    expect(play(events)).toEqual([])
  })
})

describe("typing by hand", () => {
  it("waits for Enter and then returns the full text", () => {
    fc.assert(
      fc.property(code, handGaps, (text, gaps) => {
        expect(play(keys(text, gaps, false))).toEqual([])
        expect(play(keys(text, gaps, true))).toEqual([{ type: "text", text, by: "hand" }])
      }),
    )
  })

  it("waits for Enter after a deletion or a paste, however fast the rest came", () => {
    const pasted: FieldEvent = { type: "edit", text: "33ABC4401927", at: 1000 }
    expect(play([pasted])).toEqual([])
    expect(play([pasted, { type: "end", at: 1400 }])).toEqual([
      { type: "text", text: "33ABC4401927", by: "hand" },
    ])
  })

  it("ignores Enter on an empty field", () => {
    expect(play([{ type: "end", at: 1000 }])).toEqual([])
  })

  it("leaves a text alone that is shorter than a scan", () => {
    expect(play(keys("ORD12", [10], false))).toEqual([])
    expect("ORD12".length).toBeLessThan(shortestScan)
  })
})

describe("a single key", () => {
  it("is a command where it has a meaning, and the start of a text when more follows", () => {
    expect(play(keys("U", [], false))).toEqual([{ type: "command", key: "u" }])
    expect(play(keys("x", [], false))).toEqual([])
    expect(play(keys("2", [], false), asking)).toEqual([{ type: "command", key: "2" }])
    expect(play(keys("2", [], false))).toEqual([])
    expect(play(keys("STK0091827345", [120], true))).toEqual([
      { type: "text", text: "STK0091827345", by: "hand" },
    ])
    expect(play(keys("1Z999AA10123456784", [10], false), asking)).toEqual([
      { type: "text", text: "1Z999AA10123456784", by: "scanner" },
    ])
  })
})
