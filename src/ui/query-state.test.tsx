import { MantineProvider } from "@mantine/core"
import { act, render, screen } from "@testing-library/react"
import { expect, it, onTestFinished, vi } from "vitest"
import { nextRequestAt } from "../lib/external-value.ts"
import { AsOf, QueryState } from "./query-state.tsx"

it("says when the next request goes while what loads waits for the request limit", () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  onTestFinished(() => nextRequestAt.set(null))
  onTestFinished(() => void vi.useRealTimers())
  const query = { data: undefined, error: null, refetch: () => {} }
  render(
    <MantineProvider env="test">
      <QueryState query={query} noun="orders">
        {() => null}
      </QueryState>
      <AsOf at={undefined} refreshing onRefresh={() => {}} />
    </MantineProvider>,
  )
  expect(screen.getAllByText("Loading…")).toHaveLength(2)

  act(() => nextRequestAt.set(Date.now() + 4000))
  expect(screen.getByText("The request limit is used up.")).not.toHaveClass("visually-hidden")
  // What changes each second is not announced.
  expect(screen.getByText("Next request in 4 s.")).toHaveAttribute("aria-live", "off")
  expect(screen.getByText("Next request in 4 s")).toBeInTheDocument()
  act(() => void vi.advanceTimersByTime(1000))
  expect(screen.getByText("Next request in 3 s")).toBeInTheDocument()

  act(() => nextRequestAt.set(null))
  expect(screen.getAllByText("Loading…")).toHaveLength(2)
})
