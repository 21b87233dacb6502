import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { rewardListReader } from "../../../contract/program/reward.ts"
import { drill, openRewards as openUncopied, reward } from "../../../tests/support/rewards/open-rewards.tsx"

const cards = () => screen.findByRole("list", { name: "Rewards" })
const rewardRequests = (requests: readonly string[]) =>
  requests.filter((each) => each.startsWith("GET /api/rewards?"))
/** A page with a complete local copy. */
const openRewards: typeof openUncopied = (address, opening) =>
  openUncopied(address, { copied: true, ...opening })
const names = () => screen.getAllByRole("link", { name: /^(Reward |Drill)/ }).map((link) => link.textContent)

test("catalogue shows cost and stock of each reward", async () => {
  const { requests } = await openRewards("/rewards?page=banana&view=x", {
    rewards: [drill, reward("a"), reward("b", { stock: 0 }), reward("c", { stock: 24, points_cost: 12480 })],
  })
  const shown = within(await cards())
  expect(shown.getByRole("link", { name: "Drill kit" })).toHaveAttribute("href", "/rewards/rew_drill")
  expect(shown.getByText("Tools, physical")).toBeVisible()
  expect(shown.getByText("7 left")).toBeVisible()
  expect(shown.getByText("Unlimited")).toBeVisible()
  expect(shown.getByText("Out of stock")).toBeVisible()
  expect(shown.getByText("24 in stock")).toBeVisible()
  expect(shown.getByText("12,480")).toBeVisible()
  expect(await screen.findByText("1 low, 1 out of stock")).toBeVisible()
  expect(screen.getByText("4 rewards")).toBeVisible()
  expect(screen.getByText(/^Synced /)).toBeVisible()
  expect(rewardRequests(requests)).toEqual(["GET /api/rewards?page=1&per_page=25"])
})

test("out of stock and inactive rewards are marked and can still be redeemed: the service decides", async () => {
  await openRewards("/rewards", {
    rewards: [drill, reward("a", { stock: 0 }), reward("b", { status: "inactive" })],
  })
  const shown = within(await cards())
  expect(shown.getAllByRole("link", { name: /^Redeem / })).toHaveLength(3)
  expect(shown.getByText("Out of stock")).toBeVisible()
  expect(shown.getByText("Inactive")).toBeVisible()
})

test("the table view has a URL, and its columns sort all rewards, unlimited stock last", async () => {
  const rewards = Array.from({ length: 30 }, (_, at) =>
    reward(`${at + 10}`, { points_cost: 100 + at, stock: at === 3 ? null : 90 - at }),
  )
  const { router, user, requests } = await openRewards("/rewards?page=2", { rewards })
  await cards()
  await user.click(screen.getByText("Table"))
  const table = within(await screen.findByRole("table", { name: "Rewards" }))
  expect(router.state.location.searchStr).toBe("?page=2&view=table")
  await user.click(table.getByRole("button", { name: /Points/ }))
  await waitFor(() => expect(names()[0]).toBe("Reward 10"))
  expect(router.state.location.search).toEqual({ view: "table", sort: "cost" })
  expect(rewardRequests(requests).at(-1)).toBe("GET /api/rewards?sort=points_cost&page=1&per_page=25")
  await user.click(table.getByRole("button", { name: /Stock/ }))
  await waitFor(() => expect(names()[0]).toBe("Reward 39"))
  await user.click(table.getByRole("button", { name: /Stock/ }))
  await waitFor(() => expect(names()[0]).toBe("Reward 13"))
})

test("filters, points range and search cover all rewards, and are in the URL", async () => {
  const { requests, router, user } = await openRewards(
    "/rewards?page=2&category=tools&status=active&type=physical&min_points=1000",
    { rewards: [drill, reward("cheap", { points_cost: 10, category: "Tools", type: "physical" })] },
  )
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(rewardRequests(requests)[0]?.split("?")[1]))).toEqual({
      category: "tools",
      status: "active",
      type: "physical",
      min_points: "1000",
      page: "2",
      per_page: "25",
    }),
  )
  await user.click(await screen.findByRole("button", { name: /^Points\s*from 1,000/ }))
  const panel = within(await screen.findByRole("dialog", { name: "Points" }))
  await user.type(await panel.findByLabelText("To"), "20,000")
  await user.click(panel.getByRole("button", { name: "Show" }))
  expect(await screen.findByRole("link", { name: "Drill kit" })).toBeVisible()
  expect(screen.getByText("1 reward")).toBeVisible()
  expect(router.state.location.search).toMatchObject({ min_points: 1000, max_points: 20000 })
  await user.type(screen.getByRole("textbox", { name: "Search: Name or category" }), "KIT drill")
  await waitFor(() => expect(router.state.location.search).toMatchObject({ search: "KIT drill" }))
  expect(await screen.findByRole("link", { name: "Drill kit" })).toBeVisible()
})

test("an export has every reward that matches, from the local copy", async () => {
  const { requests, user } = await openRewards("/rewards?category=Tools", { as: "admin" })
  await cards()
  await user.click(await screen.findByRole("button", { name: "Export" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Export rewards" }))
  expect(dialog.getByRole("button", { name: "Export 1 reward" })).toBeEnabled()
  await user.click(dialog.getByRole("button", { name: "Export 1 reward" }))
  await waitFor(() =>
    expect(rewardRequests(requests)).toContain("GET /api/rewards?category=Tools&page=1&per_page=1000"),
  )
})

test("before the local copy is complete the service filters, and nothing is searched", async () => {
  await openUncopied("/rewards?type=physical")
  expect(within(await cards()).getByRole("link", { name: "Drill kit" })).toBeVisible()
  expect(screen.queryByRole("textbox", { name: /^Search/ })).not.toBeInTheDocument()
  expect(screen.queryByRole("button", { name: "Export" })).not.toBeInTheDocument()
  expect(screen.getByText("1 reward")).toBeVisible()
})

test("known categories are offered, and any other can be typed", async () => {
  const { router, user } = await openRewards("/rewards")
  await cards()
  await user.click(screen.getByRole("button", { name: "Category", expanded: false }))
  const panel = within(await screen.findByRole("dialog", { name: "Category" }))
  expect(await panel.findByRole("button", { name: "Tools" })).toBeVisible()
  await user.type(panel.getByLabelText("Category"), "Travel{Enter}")
  await waitFor(() => expect(router.state.location.searchStr).toBe("?category=Travel"))
})

test("a missing picture is replaced by an icon", async () => {
  await openRewards("/rewards", {
    rewards: [drill, reward("plain", { image_url: "http://pictures.test/a.png" })],
  })
  const shown = await cards()
  const pictures = shown.querySelectorAll("img")
  // A source that the content security policy forbids is not requested.
  expect(pictures).toHaveLength(1)
  pictures.forEach((picture) => fireEvent.error(picture))
  expect(shown.querySelectorAll("img")).toHaveLength(0)
  expect(within(shown).getByRole("link", { name: "Drill kit" })).toBeVisible()
})

test("an empty catalogue, filters without matches and a search each show what to do", async () => {
  const { router, user } = await openRewards("/rewards?search=zzz")
  expect(await screen.findByText("No rewards match “zzz”")).toBeVisible()
  // The field's own button, and the one in place of the rewards.
  const [, clear] = screen.getAllByRole("button", { name: "Clear the search" })
  if (clear !== undefined) await user.click(clear)
  expect(await screen.findByRole("link", { name: "Drill kit" })).toBeVisible()
  expect(router.state.location.searchStr).toBe("")
})

test("a role that cannot redeem sees the rewards and which role can", async () => {
  await openRewards("/rewards", { as: "fulfilment" })
  const shown = within(await cards())
  expect(shown.queryByRole("link", { name: /^Redeem / })).not.toBeInTheDocument()
  expect(screen.getByRole("link", { name: "Redeem for a member" })).toHaveAttribute("aria-disabled", "true")
})

test("a reward with damaged fields shows what was received, without affecting other rows", async () => {
  const shown = rewardListReader.show([
    drill,
    { ...reward("a"), stock: "few", points_cost: "lots" },
    { ...reward("b"), status: 4, category: { a: 1 }, name: 77 },
    { ...reward("c"), id: 42, stock: null },
  ])
  if (!shown.ok) throw new Error(shown.reason)
  await openRewards("/rewards?view=table", { answers: { "GET /api/rewards": () => shown.value } })
  const table = within(await screen.findByRole("table", { name: "Rewards" }))
  const rowOf = (name: string) => within(table.getByRole("link", { name }).closest("tr") ?? document.body)
  await table.findByRole("link", { name: "Drill kit" })
  for (const text of ["few", "lots"]) expect(rowOf("Reward a").getByText(text)).toBeVisible()
  expect(rowOf("Reward a").queryByText("Unlimited")).toBeNull()
  for (const text of ["4", '{"a":1}']) expect(rowOf("77").getByText(text)).toBeVisible()
  expect(rowOf("Reward c").getByText("Unlimited")).toBeVisible()
  expect(rowOf("Drill kit").getByText("7 left")).toBeVisible()
})
