import { render, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, it, vi } from "vitest"
import { renderApp, sessionOf } from "../../tests/support/test-app.tsx"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (address: string) =>
  renderApp(address, {
    "GET /api/session": () => sessionOf("viewer"),
    "GET /api/status/budget": () => [],
    "GET /api/jobs": () => [],
  })

it("says in place that a part cannot come without a connection, and opens it once there is one", async () => {
  open("/nowhere")
  await screen.findByText("Page not found")
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false)
  const user = userEvent.setup({ delay: null })
  const menu = () => screen.getByRole("button", { name: /Your menu/ })
  const missing = () => screen.queryByText("This can’t be opened without a connection")

  await user.click(menu())
  await waitFor(() => expect(missing()).toBeInTheDocument())
  expect(screen.getByText("Page not found")).toBeInTheDocument()
  await user.click(document.body)
  expect(missing()).not.toBeInTheDocument()
  await user.click(menu())
  expect(missing()).toBeInTheDocument()

  onLine.mockReturnValue(true)
  window.dispatchEvent(new Event("online"))
  expect(await screen.findByRole("menu")).toBeInTheDocument()
  expect(missing()).not.toBeInTheDocument()
})

it("reloads a page that failed to load on request, and automatically once there is a connection", async () => {
  const reload = vi.fn<() => void>()
  vi.stubGlobal("location", { reload })
  vi.doMock("./message-pages.tsx", () => Promise.reject(new Error("No connection")))
  vi.resetModules()
  const { LazyErrorPage } = await import("./lazy-pages.tsx")
  const { MantineProvider } = await import("@mantine/core")
  render(
    <MantineProvider env="test">
      <LazyErrorPage error={new Error("No connection")} reset={() => {}} />
    </MantineProvider>,
  )
  await userEvent.click(await screen.findByRole("button", { name: "Reload" }))
  expect(reload).toHaveBeenCalledOnce()
  window.dispatchEvent(new Event("online"))
  expect(reload).toHaveBeenCalledTimes(2)
})
