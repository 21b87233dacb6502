import { beforeAll, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { carrierSettings, firstCarriers, recognised, trackingLink } from "../../contract/orders.ts"
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
    ["RB123456785AU", "auspost"],
    ["RB123456785NZ", "nzpost"],
    ["RB123456785GB", "post"],
  ])("%s is %s by its shape", (number, code) => {
    expect(see(number)).toMatchObject({ chosen: code, why: "shape" })
  })

  it("asks where digits alone fit by chance, and where nobody numbers like that", () => {
    expect(see("986578788855")).toMatchObject({ chosen: null, why: "asked", carriers: ["fedex"] })
    expect(see("33ABC1234567890")).toMatchObject({ chosen: null, why: "unknown", carriers: [], link: null })
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
      kit.ask("POST /carriers/choice", { role: "fulfilment", body: { number: "33ABC1234567", carrier } })
    expect((await choose("startrack")).status).toBe(204)
    expect(await ask(kit, "33AB-C9999999")).toMatchObject({ chosen: "startrack", why: "remembered" })
    expect((await ask(kit, "33ABC99999991"))?.chosen).toBeNull()
    expect((await choose("nobody")).status).toBe(422)
    await kit.ask("DELETE /carriers/choice", { body: { number: "33ABC1234567" } })
    expect((await ask(kit, "33ABC9999999"))?.chosen).toBeNull()
  })

  it("is for who ships", async () => {
    const body = { number: "33ABC1234567", carrier: "dhl" }
    expect((await createTestKit().ask("POST /carriers/choice", { role: "viewer", body })).status).toBe(403)
  })
})
