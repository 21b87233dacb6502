import { QueryClientProvider } from "@tanstack/react-query"
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { setupServer } from "msw/node"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { makeQueryClient } from "../../../src/api/request.ts"
import { makeRouter } from "../../../src/router.tsx"
import { appHandlers, makeApp, type FakeApp } from "./fake-app.ts"

/** Starts the fake server for a test file; unhandled requests fail the test. */
export function fakeApp(): { get current(): FakeApp; set(changes: Partial<FakeApp>): void } {
  let app = makeApp()
  const server = setupServer(...appHandlers(() => app))
  beforeAll(() => {
    server.listen({ onUnhandledFrame: "error" })
  })
  beforeEach(() => {
    app = makeApp()
  })
  afterAll(() => server.close())
  return {
    get current() {
      return app
    },
    set(changes) {
      app = makeApp(changes)
    },
  }
}

/** Opens an address through the real routes. */
export function openSettings(path: string) {
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { router, queryClient, user }
}
