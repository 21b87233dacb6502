import { expect, type Page } from "@playwright/test"
import * as z from "zod"
import { anaSilva } from "./members.ts"
import { dialog, heading, table, type Place } from "./places.ts"

const list = z.object({ data: z.array(z.looseObject({})) })

/** Ids of the records whose pages are checked. The page must be signed in. */
export async function recordIds(page: Page, url: string): Promise<Record<string, string>> {
  const at = async (place: number, path: string, field: string) => {
    const answer = await page.request.get(`${url}/api/${path}`)
    return z.string().parse(list.parse(await answer.json()).data.at(place)?.[field])
  }
  const first = (path: string, field: string) => at(0, `program/${path}`, field)
  return {
    member: await anaSilva(page, url),
    reward: await first("rewards?status=active&type=physical", "id"),
    order: await first("orders?status=pending", "order_id"),
    board: await first("leaderboards", "id"),
    oddBoard: await at(-1, "program/leaderboards", "id"),
    user: await at(0, "users", "id"),
  }
}

/** Home, and every page of rewards, orders, gift cards and leaderboards. */
export const programPages: readonly Place[] = [
  { name: "home", path: "/", ready: today },
  { name: "rewards", path: "/rewards", ready: cards },
  { name: "rewards, table", path: "/rewards?view=table", ready: table },
  { name: "reward", path: "/rewards/{reward}", ready: heading(/./) },
  { name: "redeem a reward", path: "/rewards/{reward}?act=redeem&reward_id={reward}", ready: dialog },
  { name: "redeem, choose a reward", path: "/rewards?act=redeem", ready: dialog },
  { name: "leaderboards", path: "/leaderboards", ready: table },
  { name: "leaderboard", path: "/leaderboards/{board}", ready: table },
  { name: "leaderboard over time", path: "/leaderboards/{board}?view=history", ready: heading(/./) },
  { name: "leaderboard of another shape", path: "/leaderboards/{oddBoard}", ready: heading(/./) },
  { name: "wall display", path: "/leaderboards/{board}/wall", ready: heading(/./) },
  { name: "orders", path: "/orders", ready: table },
  { name: "orders to ship", path: "/orders?status=to-ship", ready: table },
  { name: "order", path: "/orders/{order}", ready: heading(/./) },
  { name: "edit an order", path: "/orders/{order}/edit", ready: dialog },
  { name: "ship desk", path: "/orders/ship", ready: heading(/./) },
  { name: "tracking numbers from a file", path: "/orders/tracking-file", ready: heading(/./) },
  { name: "packing slips", path: "/orders/print?ids={order}&what=slips", ready: heading(/./) },
  { name: "pick list", path: "/orders/print?ids={order}&what=pick", ready: heading(/./) },
  { name: "carriers", path: "/settings/carriers", ready: heading("Settings") },
  { name: "books without a copy", path: "/books", ready: heading("Books") },
  { name: "gift cards", path: "/cards", ready: heading("Gift cards") },
  { name: "gift card that is not there", path: "/cards/gc_none", ready: heading(/./) },
  { name: "look up a gift card", path: "/cards?open=look-up", ready: dialog },
  { name: "member, orders", path: "/members/{member}/orders", ready: table },
  { name: "member, gift cards", path: "/members/{member}/cards", ready: heading(/./) },
  { name: "user", path: "/settings/users/{user}", ready: dialog },
  { name: "reports", path: "/reports", ready: heading("Reports") },
  { name: "report of points, without a copy", path: "/reports/points", ready: heading("Points") },
  { name: "report of redemptions, without a copy", path: "/reports/rewards", ready: heading("Redemptions") },
]

async function today(page: Page): Promise<void> {
  const todo = page.getByRole("region", { name: "Needs attention" })
  await expect(todo.getByRole("link", { name: /to ship/ })).toBeVisible()
}

async function cards(page: Page): Promise<void> {
  await expect(page.getByRole("list", { name: "Rewards" }).getByRole("listitem").first()).toBeVisible()
}
