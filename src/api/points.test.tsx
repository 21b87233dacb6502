import { QueryClientProvider, useQuery } from "@tanstack/react-query"
import { renderHook, waitFor } from "@testing-library/react"
import { expect, it, vi } from "vitest"
import { balanceQuery, useBalanceAwaited } from "./points.ts"
import { makeQueryClient } from "./request.ts"

it("a drawer reads the balance that it waits for past every cache, and ends the page’s own read", async () => {
  const sent: { readonly headers: Headers; readonly signal: AbortSignal | null | undefined }[] = []
  vi.stubGlobal("fetch", (_: string, { headers, signal }: RequestInit) => {
    sent.push({ headers: new Headers(headers), signal })
    return new Promise(() => undefined)
  })
  const client = makeQueryClient()
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  renderHook(() => useQuery(balanceQuery("mem_1", { update: true })), { wrapper })
  await waitFor(() => expect(sent).toHaveLength(1))
  renderHook(
    () => {
      useBalanceAwaited("mem_1", true)
      useQuery(balanceQuery("mem_1", { fresh: true }))
    },
    { wrapper },
  )
  await waitFor(() => expect(sent).toHaveLength(2))
  const [page, drawer] = sent
  expect([page?.headers.get("X-Laurel-Update"), page?.signal?.aborted]).toEqual(["1", true])
  expect(drawer?.headers.get("Cache-Control")).toBe("no-cache")
  expect(drawer?.headers.has("X-Laurel-Update")).toBe(false)
  client.clear()
})
