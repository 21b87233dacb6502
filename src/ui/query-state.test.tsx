import { MantineProvider } from "@mantine/core"
import { act, render, screen } from "@testing-library/react"
import { expect, it, onTestFinished, vi } from "vitest"
import { useRequestBudget } from "../lib/request-budget.ts"
import { AsOf } from "./query-state.tsx"

it("says when the next request goes while what loads waits for the request limit", () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  onTestFinished(() => useRequestBudget.setState({ nextRequestAt: null }))
  onTestFinished(() => void vi.useRealTimers())
  render(
    <MantineProvider env="test">
      <AsOf at={undefined} refreshing onRefresh={() => {}} />
    </MantineProvider>,
  )
  expect(screen.getByText("Loading…")).toBeVisible()

  act(() => useRequestBudget.setState({ nextRequestAt: Date.now() + 4000 }))
  expect(screen.getByText("Busy, 4 s")).toBeVisible()
  act(() => void vi.advanceTimersByTime(1000))
  expect(screen.getByText("Busy, 3 s")).toBeVisible()

  act(() => useRequestBudget.setState({ nextRequestAt: null }))
  expect(screen.getByText("Loading…")).toBeVisible()
})

it("stays as it is while what was read comes again within a moment", () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const asOf = (refreshing: boolean) => (
    <MantineProvider env="test">
      <AsOf at={Date.now()} refreshing={refreshing} onRefresh={() => {}} />
    </MantineProvider>
  )
  const { container, rerender } = render(asOf(false))
  const before = container.innerHTML
  rerender(asOf(true))
  act(() => void vi.advanceTimersByTime(140))
  expect(container.innerHTML).toBe(before)
  act(() => void vi.advanceTimersByTime(10))
  expect(screen.getByText("Loading…")).toBeVisible()
  expect(screen.getByRole("button", { name: "Refresh" })).toBeDisabled()
})
