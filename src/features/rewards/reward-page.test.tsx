import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { openRewards } from "../../../tests/support/rewards/open-rewards.tsx"

test("reward page shows its facts and links to the drawer", async () => {
  await openRewards("/rewards/rew_drill")
  expect(await screen.findByRole("heading", { level: 1, name: "Drill kit" })).toBeVisible()
  const facts = within(screen.getByRole("complementary", { name: "Facts" }))
  expect(facts.getByText("Requested when it is redeemed")).toBeVisible()
  expect(facts.getByText("7 left")).toBeVisible()
  expect(screen.getByText("9,500")).toBeVisible()
  expect(screen.getByRole("link", { name: "Redeem for a member" })).toHaveAttribute(
    "href",
    "/rewards/rew_drill?act=redeem&reward_id=rew_drill",
  )
})

test("reward page shows undocumented and missing values as sent", async () => {
  const path = "/api/program/rewards/odd"
  await openRewards("/rewards/odd", {
    answers: { [`GET ${path}`]: () => ({ id: "odd", type: "voucher", status: "sleeping", name: null }) },
  })
  expect(await screen.findByRole("heading", { level: 1, name: "odd" })).toBeVisible()
  expect(screen.getByText("voucher")).toBeVisible()
  expect(screen.getAllByText("sleeping")).not.toHaveLength(0)
  expect(screen.getAllByText("Not given")).not.toHaveLength(0)
})

test("an unknown reward shows that it does not exist", async () => {
  await openRewards("/rewards/gone")
  expect(await screen.findByText("No reward has the id gone")).toBeVisible()
  expect(screen.getByRole("link", { name: "Back to rewards" })).toHaveAttribute("href", "/rewards")
})
