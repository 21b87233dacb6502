import { beforeAll, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { carrierSettings, firstCarriers, recognised, trackingLink } from "../../contract/orders.ts"
import { seedOrders } from "../../sandbox/seed/orders.ts"
import { seedBase } from "../../sandbox/seed/random.ts"
import { seedRewards } from "../../sandbox/seed/rewards.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import { createTestKit, type TestKit } from "../../tests/support/test-kit.ts"
import { type CouriersOf, loadCouriers, recognise } from "./carriers.ts"

let couriersOf: CouriersOf
beforeAll(async () => {
  couriersOf = await loadCouriers()
})

const { carriers } = firstCarriers
const see = (number: string) => recognise(number, { carriers, choices: {}, couriersOf })

describe("recognising a carrier", () => {
  it.each([
    ["1Z5R89390357567127", "ups"],
    ["9400 1112 0255 5842 3326 69", "usps"],
    ["JJD0099999999", "dhl"],
    ["JD014600006281230704", "dhl"],
    ["RB123456785AU", "auspost"],
    ["RB123456785NZ", "nzpost"],
    ["RB123456785GB", "post"],
    ["33ABC4401927", "auspost"],
    ["LRLZ00012345", "startrack"],
    ["LRLZ00012345EXP00001", "startrack"],
    ["MP0012345678", "aramex"],
    ["CPAABC0000012", "couriersplease"],
    ["CPAABC0000012001", "couriersplease"],
    ["S34WER4S", "sendle"],
    ["GE123456789WW", "tnt"],
  ])("%s is %s by its shape", (number, code) => {
    expect(see(number)).toMatchObject({ chosen: code, why: "shape" })
  })

  it("leaves the choice to people where digits alone fit by chance, and where no carrier uses the format", () => {
    expect(see("986578788855")).toMatchObject({ chosen: null, why: "asked", carriers: ["fedex"] })
    expect(see("33ABC1234567890")).toMatchObject({ chosen: null, why: "unknown", carriers: [], link: null })
  })

  it.each([
    ["36VJ65064757", ["auspost", "startrack"]],
    ["ABC0001234", ["auspost", "toll"]],
    ["907384999", ["tnt"]],
    ["ABC000012345", ["tnt"]],
    ["SWERTY", ["sendle"]],
  ])("asks whose %s is: several carriers or by chance", (number, carriers) => {
    expect(see(number)).toMatchObject({ chosen: null, why: "asked", carriers })
  })

  it("knows an eParcel article by its check digit alone", () => {
    const ends = Array.from("0123456789", (digit) => see(`ABC12345670100930031${digit}`))
    expect(ends.filter(({ chosen }) => chosen === "auspost")).toHaveLength(1)
    expect(ends.filter(({ why }) => why === "unknown")).toHaveLength(9)
    // Letters count as the last digit of their codes: A 5, B 6, C 7, so 5 + 3 × 6 + 7.
    expect(see(`ABC${"0".repeat(18)}`).chosen).toBe("auspost")
  })

  it("knows what the sandbox has shipped, or offers it among others", () => {
    const base = seedBase("laurel", 400, Date.UTC(2026, 10, 23))
    const who = (index: number) => ({ id: `mem_${index}`, tier: "Gold", status: "active" })
    const seeded = seedOrders(base, seedRewards(), who).map(({ order }) => order)
    const shipped = seeded.filter(({ tracking }) => tracking !== null)
    const codes = new Map(carriers.map(({ name, code }) => [name, code]))
    const wrong = shipped.filter(({ tracking, carrier }) => {
      const found = see(tracking ?? "")
      const code = codes.get(carrier ?? "") ?? ""
      return found.chosen === null ? !found.carriers.includes(code) : found.chosen !== code
    })
    expect(shipped.length).toBeGreaterThan(100)
    expect(new Set(shipped.map(({ carrier }) => carrier)).size).toBe(4)
    expect(wrong).toEqual([])
  })

  it("does not choose a carrier that is not offered", () => {
    expect(see("C11031500001879")).toMatchObject({ chosen: null, carriers: [] })
  })

  it("keeps the number as it is in the link", () => {
    expect(see("RB123456785AU").link).toBe("https://auspost.com.au/mypost/track/details/RB123456785AU")
    expect(trackingLink("https://carrier.test/{number}", "A/B ?&$1")).toBe(
      "https://carrier.test/A%2FB%20%3F%26%241",
    )
  })

  it.each(["http://a.test/{number}", "https://a.test/", "https://{number}.test/", "javascript:{number}"])(
    "takes no link like %s",
    (link) => {
      const saved = { carriers: [{ code: "a", name: "A", link, offered: true }] }
      expect(carrierSettings.safeParse(saved).success).toBe(false)
    },
  )
})

describe("saved carriers", () => {
  const saved = firstCarriers.carriers.filter(({ code }) => ["dhl", "aramex"].includes(code))

  it("gain what our list gained since, and keep what was chosen", () => {
    const own = saved.map((each) => ({ ...each, offered: false }))
    const read = carrierSettings.parse({ carriers: own })
    expect(read.carriers.slice(0, 2)).toEqual(own)
    const added = ["couriersplease", "sendle", "tnt", "toll"]
    expect(read.carriers.slice(2).map(({ code }) => code)).toEqual(added)
    expect(carrierSettings.parse(read)).toEqual(read)
  })

  it("stay without what was left out knowingly", () => {
    const read = { carriers: saved, edition: firstCarriers.edition }
    expect(carrierSettings.parse(read)).toEqual(read)
  })
})

describe("what a person said about a number", () => {
  const ask = async (kit: TestKit, number: string) =>
    dataOf(
      await kit.ask("POST /carriers/recognise", { role: "fulfilment", body: { numbers: [number] } }),
      200,
      z.array(recognised),
    )[0]

  it("is remembered for numbers of the same beginning and length, until it is forgotten", async () => {
    const kit = createTestKit()
    const choose = (carrier: string) =>
      kit.ask("POST /carriers/choice", { role: "fulfilment", body: { number: "QX12ABC34567", carrier } })
    expect((await choose("startrack")).status).toBe(204)
    expect(await ask(kit, "QX12-ABC99999")).toMatchObject({ chosen: "startrack", why: "remembered" })
    expect((await ask(kit, "QX12ABC999991"))?.chosen).toBeNull()
    expect((await choose("nobody")).status).toBe(422)
    await kit.ask("DELETE /carriers/choice", { body: { number: "QX12ABC34567" } })
    expect((await ask(kit, "QX12ABC99999"))?.chosen).toBeNull()
  })

  it("holds for the number in a label's barcode, never for all labels that begin alike", async () => {
    const kit = createTestKit()
    const label = (article: string) => `]C1019931265099999891${article}`
    const body = { number: label("QX1234567"), carrier: "dhl" }
    expect((await kit.ask("POST /carriers/choice", { role: "fulfilment", body })).status).toBe(204)
    expect((await ask(kit, "QX1299999"))?.chosen).toBe("dhl")
    expect((await ask(kit, label("ZZ9876543")))?.chosen).toBeNull()
    expect((await ask(kit, label("KXT012345001000930908")))?.chosen).toBe("auspost")
  })

  it.each([
    ["has a wrong check digit", "RB123456789AU"],
    ["is longer than any", "420100019200190164917310000008X"],
  ])("is not remembered where the number %s", async (_why, number) => {
    const kit = createTestKit()
    const body = { number, carrier: "dhl" }
    expect((await kit.ask("POST /carriers/choice", { role: "fulfilment", body })).status).toBe(422)
    expect((await ask(kit, number))?.chosen).toBeNull()
  })

  it("is for who ships", async () => {
    const body = { number: "QX12ABC34567", carrier: "dhl" }
    expect((await createTestKit().ask("POST /carriers/choice", { role: "viewer", body })).status).toBe(403)
  })
})
