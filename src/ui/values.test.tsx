import { render, screen } from "@testing-library/react"
import { afterEach, expect, it } from "vitest"
import { learnServerTime } from "../lib/time.ts"
import { RelativeTime } from "./values.tsx"

afterEach(() => learnServerTime(new Date().toUTCString(), Date.now()))

it("a record of now reads as now although the browser's clock is two hours fast, and what the browser did does too", () => {
  const twoHours = 2 * 3_600_000
  learnServerTime(new Date(Date.now() - twoHours).toUTCString(), Date.now())
  render(
    <>
      <RelativeTime at={new Date(Date.now() - twoHours).toISOString()} />
      <RelativeTime at={Date.now()} />
    </>,
  )
  const words = screen.getAllByRole("time").map((time) => time.textContent)
  for (const text of words) expect(text).toMatch(/^(just now|\d s ago)$/)
})
