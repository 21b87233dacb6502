import { MantineProvider } from "@mantine/core"
import { act, render, screen } from "@testing-library/react"
import { expect, it, onTestFinished, vi } from "vitest"
import { nextRequestAt } from "../lib/external-value.ts"
import { AsOf } from "./query-state.tsx"

it("says when the next request goes while what loads waits for the request limit", () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  onTestFinished(() => nextRequestAt.set(null))
  onTestFinished(() => void vi.useRealTimers())
  render(
    <MantineProvider env="test">
      <AsOf at={undefined} refreshing onRefresh={() => {}} />
    </MantineProvider>,
  )
  expect(screen.getByText("Loading…")).toBeVisible()

  act(() => nextRequestAt.set(Date.now() + 4000))
  expect(screen.getByText("Next request in 4 s")).toBeVisible()
  act(() => void vi.advanceTimersByTime(1000))
  expect(screen.getByText("Next request in 3 s")).toBeVisible()

  act(() => nextRequestAt.set(null))
  expect(screen.getByText("Loading…")).toBeVisible()
})
