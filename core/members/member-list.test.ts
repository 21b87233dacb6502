import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { memberSortFields } from "../../contract/copy.ts"
import { type Member, memberStatuses } from "../../contract/program/member.ts"
import { memberFieldNames } from "../../contract/program/member-fields.ts"
import { sees } from "../../contract/redaction.ts"
import { roles, type Role } from "../../contract/roles.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createMemberService } from "../../tests/support/member-service.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { noProgress } from "../copy/copy-store.ts"

/** Laurel with a copy of these members. */
async function kit(members: readonly Member[], { complete = true } = {}) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  await copy.members.put(members.map((record) => ({ record, asOf: clock.now() - 60_000 })))
  await copy.members.setProgress({
    ...noProgress,
    complete,
    syncedAt: complete ? clock.now() - 60_000 : null,
    total: complete ? members.length : 10_000,
  })
  const service = createMemberService(members.map((member) => madeUpMember(member.id, member)))
  const app = createTestKit({ clock, copy })
  app.upstream.serve(service.serve)
  onTestFinished(() => app.app.stop())
  const ids = async (query: string, role: Role = "manager") => {
    const { status, body } = await app.ask(`GET /members${query}`, { role })
    expect(status).toBe(200)
    return (body as { data: Member[] }).data.map(({ id }) => id)
  }
  return { ...app, copy, ids }
}

const jose = madeUpMember("mem_jose", {
  first_name: "José",
  last_name: "Núñez",
  email: "jose@harbour.test",
  company: "Harbour Air",
  phone: "+61 400 123 456",
  points_balance: 50,
  metadata: { depot: { name: "Łódź 4" } },
  created_at: "2026-03-01T00:00:00Z",
})
const ana = madeUpMember("mem_ana", { points_balance: 900, status: "inactive", tier: "Silver" })
const bec = madeUpMember("mem_bec", { first_name: "Bec", points_balance: null })
const people = [ana, bec, jose]

describe("the list of members from the local copy", () => {
  it("makes no request to the service, and says of when it is", async () => {
    const { ask, upstream, clock } = await kit(people)
    const { headers, body } = await ask("GET /members")
    expect(body).toMatchObject({
      data: [{ id: "mem_jose" }, { id: "mem_ana" }, { id: "mem_bec" }],
      meta: {
        page: 1,
        per_page: 25,
        total: 3,
        complete: true,
        synced_at: new Date(clock.now() - 60_000).toISOString(),
        synced: null,
      },
    })
    expect(headers.Age).toBe("60")
    expect(upstream.calls).toEqual([])
  })

  it.each([
    ["by name, without accents", "?search=nunez+jose", ["mem_jose"]],
    ["by part of an id", "?search=_JOSE", ["mem_jose"]],
    ["by company", "?search=harbour+air", ["mem_jose"]],
    ["by phone, as dialled at home", "?search=0400+123", ["mem_jose"]],
    ["by a nested custom field", "?search=lodz", ["mem_jose"]],
    ["by status and tier", "?status=inactive&tier=silver", ["mem_ana"]],
    ["by company as a filter", "?company=Harbour+Air", ["mem_jose"]],
    ["by a custom field that has a value", "?field=depot&value=%7B%22name%22:%22lodz+4%22%7D", ["mem_jose"]],
    ["by a custom field of any value", "?field=region", ["mem_ana", "mem_bec"]],
    ["by words of different fields", "?search=jose+qld", []],
  ])("is found %s", async (_, query, expected) => {
    const { ids } = await kit(people)
    expect(await ids(query)).toEqual(expected)
  })

  it("is sorted in both directions, members without a value last", async () => {
    const { ids } = await kit(people)
    expect(await ids("?sort=points_balance")).toEqual(["mem_jose", "mem_ana", "mem_bec"])
    expect(await ids("?sort=-points_balance")).toEqual(["mem_ana", "mem_jose", "mem_bec"])
    expect(await ids("?sort=name&per_page=1&page=2")).toEqual(["mem_bec"])
    expect(await ids("?sort=-id", "fulfilment")).toEqual(["mem_jose", "mem_bec", "mem_ana"])
  })

  it("is sorted by match: names first, then companies, then custom fields", async () => {
    const { ids } = await kit([
      { id: "mem_region", first_name: "Ana", last_name: "Abel", metadata: { region: "Geelong" } },
      { id: "mem_company", first_name: "Bo", last_name: "Berg", company: "Geelong Air" },
      { id: "mem_zoe", first_name: "Zoe", last_name: "Geelong" },
      { id: "mem_cy", first_name: "Cy", last_name: "Geelong" },
    ])
    expect(await ids("?search=geelon&sort=match")).toEqual(["mem_cy", "mem_zoe", "mem_company", "mem_region"])
  })

  it("counts matches by status, tier and company", async () => {
    const { ask } = await kit(people)
    expect((await ask("GET /members/facets?search=silva")).body).toMatchObject({
      data: {
        total: 2,
        statuses: [
          { value: "inactive", count: 1 },
          { value: "active", count: 1 },
        ],
        tiers: [
          { value: "Silver", count: 1 },
          { value: "Gold", count: 1 },
        ],
        companies: [{ value: "Silva Solar", count: 2 }],
        metadata_keys: ["depot", "region"],
        points: { sum: 900, without: 1 },
      },
      meta: { complete: true },
    })
  })

  it("has an edit of ours in the next read", async () => {
    const { ask, ids, upstream } = await kit(people)
    const edited = await ask("PATCH /program/members/mem_ana", { body: { company: "Top End Air" } })
    expect(edited.status).toBe(200)
    const calls = upstream.calls.length
    expect(await ids("?search=top+end")).toEqual(["mem_ana"])
    expect(upstream.calls).toHaveLength(calls)
  })

  it("lacks a member deleted by us in the next read", async () => {
    const { ask, ids } = await kit(people)
    await ask("DELETE /program/members/mem_ana", { body: { email: ana.email } })
    expect(await ids("")).not.toContain("mem_ana")
  })
})

describe("the list of members by role", () => {
  it.each<[Role, string]>([
    ["fulfilment", "?status=active"],
    ["fulfilment", "?tier=Gold"],
    ["fulfilment", "?sort=points_balance"],
    ["viewer", "?sort=-phone"],
    ["viewer", "?field=depot"],
    ["viewer", "?sort=meta:depot"],
    ["viewer", "?per_page=101"],
  ])("is refused: %s %s", async (role, query) => {
    const { ask, upstream } = await kit(people)
    expect((await ask(`GET /members${query}`, { role })).status).toBe(403)
    expect(upstream.calls).toEqual([])
  })

  it.each<[Role, string, string[]]>([
    ["fulfilment", "jose", ["mem_jose"]],
    ["fulfilment", "harbour", []],
    ["viewer", "harbour", ["mem_jose"]],
    ["viewer", "0400 123", []],
    ["viewer", "lodz", []],
  ])("is searched in what the role sees: %s, %s", async (role, search, expected) => {
    const { ids } = await kit(people)
    expect(await ids(`?search=${search}`, role)).toEqual(expected)
  })

  const word = fc.constantFrom("ana", "solar", "qld", "mem_2", "400", "gold", "silva", "7")
  const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "))
  const moment = fc.constantFrom("2025-01-01T00:00:00Z", "2026-05-05T00:00:00Z")
  const fields = fc.record({
    email: text,
    first_name: text,
    last_name: text,
    company: text,
    phone: text,
    points_balance: fc.nat(1000),
    tier: fc.constantFrom("Gold", "Silver"),
    status: fc.constantFrom(...memberStatuses),
    metadata: fc.dictionary(word, text, { maxKeys: 2 }),
    created_at: moment,
    updated_at: moment,
  })
  const query = fc.record(
    {
      search: text,
      status: fc.constantFrom(...memberStatuses),
      tier: fc.constantFrom("Gold", "Silver"),
      company: text,
      field: word,
      value: text,
      sort: fc.constantFrom(
        "match",
        "meta:gold",
        "-meta:7",
        ...memberSortFields,
        ...memberSortFields.map((field) => `-${field}`),
      ),
      page: fc.constantFrom("1", "2"),
      per_page: fc.constantFrom("2", "10"),
    },
    { requiredKeys: [] },
  )

  it("depends on no field that the role does not see", async () => {
    const members = fc.array(fc.tuple(fields, fields), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...roles), members, query, async (role, pairs, sent) => {
        const shown = pairs.map(([one], at) => ({ id: `mem_${at}`, ...one }))
        // The same members as far as the role sees them.
        const others = pairs.map(([one, other], at) => {
          const visible = memberFieldNames.filter((name) => sees("member", role, name))
          const visibleFields = Object.entries(one).filter(([name]) => visible.some((each) => each === name))
          return { id: `mem_${at}`, ...other, ...Object.fromEntries(visibleFields) }
        })
        const parameters = new URLSearchParams(sent).toString()
        const { page: _page, per_page: _size, sort: _sort, ...filter } = sent
        const responses = async (copied: readonly Member[]) => {
          const { ask, app } = await kit(copied)
          const list = await ask(`GET /members?${parameters}`, { role })
          const counts = await ask(`GET /members/facets?${new URLSearchParams(filter).toString()}`, { role })
          await app.stop()
          return [list.status, list.body, counts.status, counts.body]
        }
        expect(await responses(others)).toEqual(await responses(shown))
      }),
      { numRuns: 60 },
    )
  })
})

describe("the list of members before the local copy is complete", () => {
  it("is one request to the service, with what the sync has", async () => {
    const { ask, upstream } = await kit(people, { complete: false })
    expect((await ask("GET /members?sort=-points_balance&per_page=1000&search=mem_ana")).body).toMatchObject({
      data: [{ id: "mem_ana" }],
      meta: {
        page: 1,
        per_page: 100,
        total: 1,
        complete: false,
        synced_at: null,
        synced: { live: 3, total: 10_000 },
      },
    })
    expect(upstream.lines()).toEqual(["GET /members?per_page=100&search=mem_ana"])
    expect((await ask("GET /members/facets")).body).toMatchObject({
      data: { total: 0, statuses: [] },
      meta: { complete: false },
    })
    expect(upstream.calls).toHaveLength(1)
  })

  it("has no progress of a sync that is off", async () => {
    const app = createTestKit()
    app.upstream.serve(createMemberService([madeUpMember("mem_1")]).serve)
    expect((await app.ask("GET /members")).body).toMatchObject({
      data: [{ id: "mem_1" }],
      meta: { total: 1, complete: false, synced: null },
    })
  })

  it.each<[Role, string, number]>([
    ["manager", "?company=Harbour+Air", 409],
    ["manager", "?field=depot", 409],
    ["fulfilment", "?search=ana", 403],
  ])("is refused where the service cannot answer: %s %s", async (role, query, status) => {
    const { ask, upstream } = await kit(people, { complete: false })
    expect((await ask(`GET /members${query}`, { role })).status).toBe(status)
    expect(upstream.calls).toEqual([])
  })

  it("comes from the service while the copy cannot be read", async () => {
    const { ask, copy, upstream } = await kit(people)
    await copy.close()
    expect((await ask("GET /members")).body).toMatchObject({ meta: { total: 3, complete: false } })
    expect(upstream.calls).toHaveLength(1)
  })
})

describe("recipients from the local copy", () => {
  const view = (search: Record<string, string>, more: object = {}) => ({
    list: "members",
    name: "Sunny Gold",
    shared: false,
    search,
    columns: { shown: {}, order: [], widths: {} },
    ...more,
  })

  it("are everybody whom a saved view matches, by name, without a request", async () => {
    const { ask, upstream, clock } = await kit(people)
    await ask("PUT /views/v1", { body: view({ search: "silva", sort: "-points" }) })
    expect((await ask("GET /members/recipients?view=v1")).body).toMatchObject({
      data: {
        name: "Sunny Gold",
        members: [
          { id: "mem_ana", status: "inactive" },
          { id: "mem_bec", first_name: "Bec", email: bec.email, status: "active" },
        ],
      },
      meta: { complete: true, synced_at: new Date(clock.now() - 60_000).toISOString() },
    })
    await ask("PUT /views/v2", { body: view({ field: "depot", sort: "meta:depot" }) })
    expect((await ask("GET /members/recipients?view=v2")).body).toMatchObject({
      data: { members: [{ id: "mem_jose" }] },
    })
    expect((await ask("GET /members/recipients?company=harbour+air")).body).toMatchObject({
      data: { name: null, members: [{ id: "mem_jose" }] },
    })
    expect(upstream.calls).toEqual([])
  })

  it("are refused until every member is synced, with the progress", async () => {
    const { ask } = await kit(people, { complete: false })
    const { status, body } = await ask("GET /members/recipients?tier=Gold")
    expect(status).toBe(409)
    expect(JSON.stringify(body)).toContain("3 of 10000 members are synced so far.")
    expect(JSON.stringify(body)).toContain("Nothing was read.")
  })

  it("are those of the person's own and of shared views only", async () => {
    const { ask } = await kit(people)
    await ask("PUT /views/own", { role: "admin", name: "ann", body: view({ tier: "Gold" }) })
    const read = (id: string) => ask(`GET /members/recipients?view=${id}`, { role: "manager", name: "max" })
    expect((await read("own")).status).toBe(404)
    await ask("PUT /views/own", {
      role: "admin",
      name: "ann",
      body: view({ tier: "Gold" }, { shared: true }),
    })
    expect((await read("own")).status).toBe(200)
  })

  it("are refused for a view with a filter that is not known: dropping it would add members", async () => {
    const { ask } = await kit(people)
    await ask("PUT /views/v1", { body: view({ tier: "Gold", region: "QLD" }) })
    await ask("PUT /views/v2", { body: view({ status: "to-ship" }, { list: "orders" }) })
    expect((await ask("GET /members/recipients?view=v1")).status).toBe(409)
    expect((await ask("GET /members/recipients?view=v2")).status).toBe(409)
    expect((await ask("GET /members/recipients?view=v1&tier=Gold")).status).toBe(400)
  })

  it.each(["viewer", "fulfilment"] as const)("are not read for %s, who awards nothing", async (role) => {
    const { ask } = await kit(people)
    expect((await ask("GET /members/recipients?tier=Gold", { role })).status).toBe(403)
  })
})
