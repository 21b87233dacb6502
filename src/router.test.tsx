import { act, screen } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { paintFirst } from "./router.tsx"
import { renderApp, sessionOf } from "../tests/support/test-app.tsx"

test("a click is painted, and says what it hit, before its page is loaded", async () => {
  const { router } = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/status/budget": () => [],
    "GET /api/jobs/summary": () => ({ active: 0, attention: 0 }),
    "GET /api/jobs": () => [],
  })
  const link = await screen.findByRole("link", { name: "Settings" })
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame))
  const load = vi.fn<() => void>()
  paintFirst(router)
  const leave = router.history.subscribe(load)

  link.focus()
  act(() => router.history.push("/elsewhere"))
  expect(link).toHaveAttribute("data-pressed")
  expect(router.latestLocation.pathname).toBe("/elsewhere")
  expect(load).not.toHaveBeenCalled()

  for (const frame of frames) frame(0)
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  await vi.waitFor(() => expect(document.querySelector("[data-pressed]")).toBeNull())
  leave()
  vi.unstubAllGlobals()
})
