import { QueryClient } from "@tanstack/react-query"
import { expect, onTestFinished, test, vi } from "vitest"
import { Offline } from "../lib/errors.ts"
import { clearTabNames } from "../lib/names.ts"
import { memberNamesQuery } from "./members.ts"

test("names seen in a tab survive an offline reload and are removed by signing out", async () => {
  let online = true
  vi.stubGlobal("fetch", async () => {
    if (!online) throw new TypeError("Failed to fetch")
    return Response.json({
      success: true,
      data: { names: [{ id: "mem_ana", name: "Ana Silva" }], missing: [], coming: [] },
    })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  // A reload begins with an empty cache.
  const read = async () => {
    const query = { ...memberNamesQuery(["mem_ana"]), retry: false }
    return (await new QueryClient().fetchQuery(query)).names.get("mem_ana")
  }
  expect(await read()).toBe("Ana Silva")
  online = false
  expect(await read()).toBe("Ana Silva")
  clearTabNames()
  await expect(read()).rejects.toThrow(Offline)
})
