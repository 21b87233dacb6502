import { QueryClientProvider } from "@tanstack/react-query"
import { renderHook, waitFor } from "@testing-library/react"
import { expect, it, vi } from "vitest"
import { onMemberCreated, memberSearchQuery } from "../api/members.ts"
import { makeQueryClient } from "../api/request.ts"
import { useMemberSuggestions } from "./member-suggestions.ts"

const responseOf = (names: readonly string[], headers: HeadersInit = {}) =>
  Response.json(
    { success: true, data: names.map((first_name, index) => ({ id: `mem_${index}`, first_name })) },
    { headers },
  )

function suggestions(...responses: (Response | Promise<Response>)[]) {
  vi.stubGlobal("fetch", async () => responses.shift())
  const client = makeQueryClient()
  const { result } = renderHook(() => useMemberSuggestions("zoe"), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  return { client, result }
}

it("an empty result is not final while it is refetched", async () => {
  const again = Promise.withResolvers<Response>()
  const { client, result } = suggestions(responseOf([]), again.promise)
  await waitFor(() => expect(result.current.answered).toBe(true))
  void client.invalidateQueries({ queryKey: memberSearchQuery("zoe").queryKey })
  await waitFor(() => expect(result.current).toMatchObject({ answered: false, searching: true }))
  again.resolve(responseOf(["Zoe"]))
  await waitFor(() => expect(result.current.members).toMatchObject([{ first_name: "Zoe" }]))
})

it("an empty result from a stale cache is not final", async () => {
  const stale = { "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": "budget_spent", Age: "5" }
  const { result } = suggestions(responseOf([], stale), Promise.withResolvers<Response>().promise)
  await waitFor(() => expect(result.current.error).toBeNull())
  await waitFor(() => expect(result.current.searching).toBe(true))
  expect(result.current.answered).toBe(false)
})

it("a new member evicts searches that no page shows", () => {
  const client = makeQueryClient()
  const { queryKey } = memberSearchQuery("zoe")
  client.setQueryData(queryKey, { data: [], age: 0, at: 1, stale: false })
  onMemberCreated(client)
  expect(client.getQueryData(queryKey)).toBeUndefined()
})
