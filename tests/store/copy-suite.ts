import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Member } from "../../contract/program/member.ts"
import { type CopyStore, type MemberQuery, noProgress } from "../../core/copy/copy-store.ts"
import { madeUpMember } from "../support/made-up-members.ts"

/** Two instances of one copy, or one twice if only one may use it. */
export interface CopiesUnderTest {
  readonly one: CopyStore
  readonly other: CopyStore
  close(): Promise<void>
}

const person = (id: string, fields: Readonly<Record<string, unknown>> = {}): Member =>
  madeUpMember(id, fields)
const put = (copy: CopyStore, asOf: number, ...members: readonly Member[]) =>
  copy.members.put(members.map((record) => ({ record, asOf })))
const byName = { scope: "all", sort: { field: "name", descending: false }, page: 1, perPage: 25 } as const

/** The tests of every copy. */
export function describeCopy(name: string, open: () => Promise<CopiesUnderTest>): void {
  describe(`the local copy in ${name}`, () => {
    let copies: CopiesUnderTest
    beforeAll(async () => {
      copies = await open()
    })
    beforeEach(() => copies.one.clear())
    afterAll(() => copies.close())

    const idsOf = async (query: Partial<MemberQuery>) => {
      const { rows, total } = await copies.other.members.list({ ...byName, ...query })
      return [...rows.map(({ id }) => id), total]
    }

    test("returns a record as it was put, with every digit and unknown field", async () => {
      const record = person("mem_1", { metadata: { depot: 4, note: "a\u0000b\ud800" }, badge: ["x"] })
      expect(await put(copies.one, 10, record)).toBe(1)
      expect(await copies.other.members.get(["mem_1", "mem_2"])).toEqual([record])
    })

    test("writes nothing for an equal record, and drops one that was asked earlier", async () => {
      await put(copies.one, 10, person("mem_1"))
      expect(await put(copies.other, 20, person("mem_1"))).toBe(0)
      expect(await put(copies.one, 30, person("mem_1", { company: "New" }))).toBe(1)
      expect(await put(copies.other, 29, person("mem_1", { company: "Late" }))).toBe(0)
      expect(await copies.one.members.get(["mem_1"])).toMatchObject([{ company: "New" }])
      expect(await idsOf({ company: ["new"] })).toEqual(["mem_1", 1])
    })

    test("keeps a deleted member out against a record that was asked earlier, not a later one", async () => {
      await put(copies.one, 10, person("mem_1"))
      await copies.one.members.drop(["mem_1", "mem_2"], 20)
      await put(copies.other, 19, person("mem_1"), person("mem_2"))
      expect([await copies.one.members.count(), await copies.one.members.get(["mem_1"])]).toEqual([0, []])
      await put(copies.other, 21, person("mem_1"))
      expect(await idsOf({})).toEqual(["mem_1", 1])
      await copies.one.members.drop(["mem_1"], 15)
      expect(await copies.one.members.count()).toBe(1)
    })

    test("forgets the ids of members that were deleted long ago", async () => {
      await copies.one.members.drop(["mem_1"], 20)
      await copies.one.tidy(21)
      expect(await put(copies.one, 1, person("mem_1"))).toBe(1)
    })

    test("a time later than now becomes now, so that a clock that was set back keeps nothing out", async () => {
      const now = await copies.one.now()
      await put(copies.one, now + 3_600_000, person("mem_1"))
      await copies.one.tidy(0)
      expect(await put(copies.one, (await copies.one.now()) + 1, person("mem_1", { company: "New" }))).toBe(1)
    })

    test("of two records in one batch the later asked one counts", async () => {
      await copies.one.members.put([
        { record: person("mem_1", { company: "Late" }), asOf: 2 },
        { record: person("mem_1", { company: "Early" }), asOf: 1 },
      ])
      expect(await copies.one.members.get(["mem_1"])).toMatchObject([{ company: "Late" }])
    })

    test("names the ids that were held before a time", async () => {
      await put(copies.one, 10, person("mem_1"), person("mem_2"))
      await put(copies.one, 30, person("mem_3"))
      await copies.one.members.drop(["mem_2"], 20)
      expect(await copies.other.members.idsBefore(30)).toEqual(["mem_1"])
    })

    describe("custom fields", () => {
      const fields = (id: string, metadata: Readonly<Record<string, unknown>> | null) =>
        person(id, { metadata })
      beforeEach(() =>
        put(
          copies.one,
          10,
          fields("mem_1", { 'Händler "A" $.x': "QLD-7", visits: 12, licence: "007" }),
          fields("mem_2", { 'Händler "A" $.x': "qld-10", visits: 9.5, licence: "7" }),
          fields("mem_3", { 'Händler "A" $.x': " QLD-7", visits: -3, licence: "" }),
          fields("mem_4", { visits: -20, licence: null, tags: ["a", { b: 1 }] }),
          fields("mem_5", null),
        ),
      )

      const dealer = 'Händler "A" $.x'
      test.each<[string, string | undefined, (string | number)[]]>([
        [dealer, "Qld-7", ["mem_1", "mem_3", 2]],
        [dealer, "QLD", [0]],
        [dealer, undefined, ["mem_1", "mem_2", "mem_3", 3]],
        ["licence", "7", ["mem_2", 1]],
        ["licence", undefined, ["mem_1", "mem_2", 2]],
        ["visits", "9.5", ["mem_2", 1]],
        ["tags", '["a",{"b":1}]', ["mem_4", 1]],
        ["Visits", "12", [0]],
        ["__proto__", undefined, [0]],
        ["x".repeat(200), undefined, [0]],
      ])("filter members: %s is %s", async (name, value, found) => {
        const [byId, custom] = [{ field: "id", descending: false } as const, { name, value }]
        expect(await idsOf({ custom, sort: byId })).toEqual(found)
        expect(await copies.one.members.ids({ scope: "all", custom })).toEqual(found.slice(0, -1))
      })

      test.each<[string, boolean, string[]]>([
        ["visits", false, ["mem_4", "mem_3", "mem_2", "mem_1", "mem_5"]],
        ["visits", true, ["mem_1", "mem_2", "mem_3", "mem_4", "mem_5"]],
        [dealer, false, ["mem_1", "mem_3", "mem_2", "mem_4", "mem_5"]],
      ])("sort members by %s, numbers by size and empty ones last", async (name, descending, found) => {
        expect(await idsOf({ sort: { field: "metadata", name, descending } })).toEqual([...found, 5])
      })

      test("have their most frequent values listed as they are written", async () => {
        const { field_values } = await copies.other.members.facets({
          scope: "all",
          custom: { name: dealer, value: undefined },
        })
        expect(field_values).toEqual([
          { value: "QLD-7", count: 2 },
          { value: "qld-10", count: 1 },
        ])
      })
    })

    describe("a list", () => {
      beforeEach(() =>
        put(
          copies.one,
          10,
          person("mem_1", {
            first_name: "José",
            last_name: "Müller",
            company: "Straße & Söhne",
            points_balance: 5,
            phone: "+49 (0)171 234-567",
          }),
          person("mem_2", {
            first_name: "Łucja",
            last_name: "Øster",
            company: "Acme",
            points_balance: 900,
            tier: "Silver",
            phone: "",
          }),
          person("mem_3", {
            first_name: "ana",
            last_name: "Zell",
            company: null,
            points_balance: 70,
            metadata: { depot: "100% Köln_4" },
          }),
          person("mem_4", {
            first_name: "Bo",
            last_name: "Ågren",
            company: "acme",
            status: "inactive",
            points_balance: null,
          }),
        ),
      )

      test.each<[Partial<MemberQuery>, (string | number)[]]>([
        [{ search: "jose" }, ["mem_1", 1]],
        [{ search: "MULLER josé" }, ["mem_1", 1]],
        [{ search: "strasse sohne" }, ["mem_1", 1]],
        [{ search: "lucja oster" }, ["mem_2", 1]],
        [{ search: "mem_4" }, ["mem_4", 1]],
        [{ search: "0171 234" }, ["mem_1", 1]],
        [{ search: "0234-567" }, ["mem_1", 1]],
        [{ search: "+49 0171" }, ["mem_1", 1]],
        [{ search: "100%" }, ["mem_3", 1]],
        [{ search: "koln_4" }, ["mem_3", 1]],
        [{ search: "100%", scope: "contact" }, [0]],
        [{ search: "acme", scope: "contact" }, ["mem_4", "mem_2", 2]],
        [{ search: "acme", scope: "name" }, [0]],
        [{ search: "234567", scope: "contact" }, [0]],
        [{ search: "mem_2@dealer" }, ["mem_2", 1]],
        [{ search: "' or 1=1 --" }, [0]],
        [{ search: "  " }, ["mem_3", "mem_4", "mem_1", "mem_2", 4]],
        [{ company: ["ACME"] }, ["mem_4", "mem_2", 2]],
        [{ company: ["ACME", "strasse & sohne"] }, ["mem_4", "mem_1", "mem_2", 3]],
        [{ company: ["ACME"], status: "active" }, ["mem_2", 1]],
        [{ tier: "silver", search: "zell" }, [0]],
      ])("finds %j", async (query, found) => {
        expect(await idsOf(query)).toEqual(found)
      })

      test.each<[MemberQuery["sort"], string[]]>([
        [{ field: "name", descending: true }, ["mem_2", "mem_1", "mem_4", "mem_3"]],
        [{ field: "points_balance", descending: false }, ["mem_1", "mem_3", "mem_2", "mem_4"]],
        [{ field: "points_balance", descending: true }, ["mem_2", "mem_3", "mem_1", "mem_4"]],
        [{ field: "company", descending: true }, ["mem_1", "mem_2", "mem_4", "mem_3"]],
        [{ field: "company", descending: false }, ["mem_2", "mem_4", "mem_1", "mem_3"]],
      ])("sorts by %j without accents, what is missing last", async (sort, ids) => {
        expect(await idsOf({ sort })).toEqual([...ids, 4])
      })

      test("names everybody who matches, in one order", async () => {
        expect(await copies.other.members.ids({ scope: "all", search: "dealer" })).toEqual([
          "mem_3",
          "mem_4",
          "mem_1",
          "mem_2",
        ])
      })

      test("adds up members by company, whatever the case, those without one left out", async () => {
        expect(await copies.other.members.companies()).toEqual([
          {
            company: "acme",
            example: "mem_2",
            members: 2,
            active: 1,
            inactive: 1,
            points: 900,
            without_points: 1,
          },
          {
            company: "strasse & sohne",
            example: "mem_1",
            members: 1,
            active: 1,
            inactive: 0,
            points: 5,
            without_points: 0,
          },
        ])
      })

      test("has the total on every page, also beyond the last one", async () => {
        expect(await idsOf({ page: 2, perPage: 3 })).toEqual(["mem_2", 4])
        expect(await idsOf({ page: 9, perPage: 3 })).toEqual([4])
      })
    })

    test("keeps progress and stamp until it is cleared", async () => {
      const progress = {
        ...noProgress,
        total: 12,
        held: { reason: "missing", at: 1, missing: 60, live: 90 },
      } as const
      const stamp = {
        environment: "staging",
        address: "https://program.example/v1",
        epoch: "one",
        keyHash: "ab",
      }
      await copies.one.members.setProgress(progress)
      await copies.one.setStamp(stamp)
      expect([await copies.other.members.progress(), await copies.other.stamp()]).toEqual([progress, stamp])
      await copies.one.clear()
      expect([await copies.other.members.progress(), await copies.other.stamp()]).toEqual([
        noProgress,
        undefined,
      ])
    })

    test("two instances that put the same members in parallel agree on the youngest", async () => {
      const members = Array.from({ length: 100 }, (_, at) => `mem_${at}`)
      await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          put(
            at % 2 === 0 ? copies.one : copies.other,
            10 + at,
            ...members.map((id) => person(id, { points_balance: at })),
          ),
        ),
      )
      const held = await copies.one.members.get(members)
      expect(new Set(held.map(({ points_balance }) => points_balance))).toEqual(new Set([7]))
    })
  })
}
