import { describe, expect, it } from "vitest"
import { createTestKit } from "../../tests/support/test-kit.ts"

describe("settings", () => {
  it("have initial values until others are saved, readable by everyone", async () => {
    const { ask } = createTestKit()
    expect((await ask("GET /settings/program", { role: "viewer" })).body).toMatchObject({
      data: { currency: "AUD" },
    })
    const body = { name: "Sunrise Rewards", time_zone: "Australia/Perth", currency: "AUD" }
    expect(await ask("PUT /settings/program", { role: "fulfilment", body })).toMatchObject({
      status: 403,
      body: { error: { message: "This requires the Manager role. Nothing was saved." } },
    })
    expect((await ask("PUT /settings/program", { role: "manager", body })).body).toMatchObject({ data: body })
    expect((await ask("GET /settings/program", { role: "viewer" })).body).toMatchObject({ data: body })
    expect((await ask("GET /audit")).body).toMatchObject({
      data: [
        {
          action: "settings.save",
          on: { id: "program", label: "Program" },
          changes: [
            { field: "name", from: "Incentive program", to: "Sunrise Rewards" },
            { field: "time_zone", from: "Australia/Brisbane", to: "Australia/Perth" },
          ],
        },
      ],
    })
  })

  it("that decide how awards are matched are saved by administrators only", async () => {
    const { ask } = createTestKit()
    const body = { batch_code: false }
    expect((await ask("PUT /settings/points", { role: "manager", body })).status).toBe(403)
    expect((await ask("PUT /settings/points", { body })).body).toMatchObject({ data: body })
    expect((await ask("GET /settings/points", { role: "manager" })).body).toMatchObject({ data: body })
  })

  it("refuse what is not acceptable, by field", async () => {
    const { ask } = createTestKit()
    const body = { name: "x", time_zone: "Mars/Base", currency: "AUD" }
    expect(await ask("PUT /settings/program", { body })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "time_zone" }] } } },
    })
    expect((await ask("GET /settings/secrets")).status).toBe(404)
  })
})
