import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { inferRoles } from "./field-roles.ts"
import { readRanking } from "./ranking.ts"
import { rowFields } from "./row-values.ts"

const roles = (rows: readonly unknown[]) => inferRoles(rows.map(rowFields))
const none = { rank: null, member: null, name: [], note: null, score: null }

/** Rows of two people from a function of place, id, first and last name, and score. */
type MakeRow = (place: number, id: string, first: string, last: string, score: number) => unknown
const board = (make: MakeRow) => [make(1, "mem_1", "Ana", "Silva", 5000), make(2, "mem_2", "Bo", "Li", 4200)]

describe("fields are recognised by their names", () => {
  test.each<[string, MakeRow, object]>([
    [
      "snake case",
      (rank, member_id, f, l, points) => ({ rank, member_id, name: `${f} ${l}`, points }),
      { rank: "rank", member: "member_id", name: ["name"], score: "points" },
    ],
    [
      "camel case, a company below, other numbers beside",
      (place, memberId, f, l, s) => ({
        installs: 7,
        memberName: `${f} ${l}`,
        memberId,
        company: "Co",
        place,
        totalScore: s,
      }),
      { rank: "place", member: "memberId", name: ["memberName"], note: "company", score: "totalScore" },
    ],
    [
      "nested records",
      (position, id, f, l, s) => ({
        position,
        member: { id, display_name: `${f} ${l}` },
        stats: { points: s },
      }),
      { rank: "position", member: "member.id", name: ["member.display_name"], score: "stats.points" },
    ],
    [
      "first and last name apart",
      (rank, id, first_name, last_name, value) => ({
        id,
        rank: `${rank}`,
        first_name,
        last_name,
        value,
        change: -1,
      }),
      { rank: "rank", member: "id", name: ["first_name", "last_name"], score: "value" },
    ],
    [
      "numbers as text, with decimals after a comma",
      (Rank, _, FirstName, LastName, s) => ({
        Rank,
        FirstName,
        LastName,
        Points: s.toLocaleString("de-DE"),
      }),
      { rank: "Rank", name: ["FirstName", "LastName"], score: "Points" },
    ],
    [
      "ordinals and money",
      (rank, _, f, l, s) => ({
        pos: rank === 1 ? "1st" : "2nd",
        participant: `${f} ${l}`,
        total: `$${s.toFixed(2)}`,
      }),
      { rank: "pos", name: ["participant"], score: "total" },
    ],
    [
      "the rank of before and the change of it are not the rank",
      (rank, id, f, _, s) => ({
        previous_rank: 3 - rank,
        rank,
        rank_change: 1,
        user: id,
        nickname: f,
        xp: s,
      }),
      { rank: "rank", member: "user", name: ["nickname"], score: "xp" },
    ],
    [
      "without ranks, teams compete",
      (_, id, f, __, s) => ({ team_id: id, team: f, points: s }),
      { name: ["team"], score: "points" },
    ],
  ])("%s", (_, make, expected) => {
    expect(roles(board(make))).toEqual({ ...none, ...expected })
  })

  test("names that say nothing are left to be mapped by hand", () => {
    expect(roles(board((a, _, f, l, c) => ({ a, b: `${f} ${l}`, c })))).toEqual(none)
    expect(roles(board((_, __, f, ___, s) => [f, s]))).toEqual(none)
  })

  test("what means nothing has no roles", () => {
    expect(
      roles([
        { a: true, b: [1, null], c: { d: "–" } },
        { a: false, b: [], c: { d: "–" } },
      ]),
    ).toEqual(none)
  })
})

const vocabulary = fc.record({
  rank: fc.constantFrom("rank", "position", "Place", "pos", "RankPosition"),
  member: fc.constantFrom("member_id", "memberId", "userId", "participant-id", "MemberID"),
  name: fc.constantFrom("name", "displayName", "member_name", "Nickname"),
  score: fc.constantFrom("score", "total_points", "totalPoints", "XP"),
})
const people = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid(),
      name: fc.stringMatching(/^[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}$/),
      score: fc.integer({ min: 0, max: 1_000_000 }),
    }),
    { minLength: 2, maxLength: 12, selector: ({ score }) => score },
  )
  .map((all) => all.toSorted((a, b) => b.score - a.score))
const locale = fc.constantFrom("en-AU", "de-DE", "fr-FR", "en-IN", "de-CH")

test("people are recovered from any names, order of fields, nesting and way to write numbers", () => {
  fc.assert(
    fc.property(
      vocabulary,
      people,
      locale,
      fc.boolean(),
      fc.boolean(),
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      (names, all, tongue, asText, nested, order) => {
        const rows = all.map(({ id, name, score }, at) => {
          const written = asText ? score.toLocaleString(tongue) : score
          const fields = [
            [names.rank, at + 1],
            [names.member, id],
            [names.name, name],
            [names.score, written],
          ] as const
          const record = Object.fromEntries(order.map((each) => fields[each] ?? fields[0]))
          return nested ? { entry: 7, data: record } : record
        })
        const { view, standings } = readRanking(rows, undefined)
        expect(view).toBe("standings")
        expect(
          standings.rows.map(({ rank, memberId, name, score }) => [rank, memberId, name, score]),
        ).toEqual(all.map(({ id, name, score }, at) => [at + 1, id, name, score]))
      },
    ),
    { numRuns: 300 },
  )
})

test("whatever comes, something is read, a field has one role, and every role is a field that came", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.array(fc.jsonValue()),
        fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      ),
      (sent) => {
        const { roles, fields, view, standings, rows } = readRanking(sent, undefined)
        const taken = [roles.rank, roles.member, ...roles.name, roles.note, roles.score].filter(
          (field) => field !== null,
        )
        expect(new Set(taken).size).toBe(taken.length)
        expect(taken.filter((field) => !fields.includes(field))).toEqual([])
        expect(standings.rows).toHaveLength(rows.length)
        expect(view === "empty" && rows.length > 0).toBe(false)
      },
    ),
    { numRuns: 2000 },
  )
})

test("what somebody chose holds while it comes, and what is recognised holds where it does not", () => {
  const rows = [{ rank: 1, name: "Ana", points: 5, installs: 9 }]
  const saved = { ...none, rank: "rank", name: ["name"], score: "installs" }
  expect(readRanking(rows, saved).standings.rows[0]).toMatchObject({ name: "Ana", score: 9 })
  const later = readRanking([{ position: 1, name: "Ana", points: 5 }], saved)
  expect(later.gone).toEqual(["rank", "installs"])
  expect(later.standings.rows[0]).toMatchObject({ rank: 1, name: "Ana", score: 5 })
})
