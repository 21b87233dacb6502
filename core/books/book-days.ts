import { dayAt } from "../../contract/zoned-days.ts"
import type { SharedServices } from "../deps.ts"

/**
 * Keeps members and points outstanding of today, once a day of the program's time zone. While the copy is not complete
 * or waits for a person there is nothing to keep.
 */
export async function keepDay({
  settings,
  store,
  sync,
}: Pick<SharedServices, "settings" | "store" | "sync">): Promise<void> {
  if (sync === undefined) return
  const { ledgers, members } = sync.copy
  const { complete, held } = await members.progress()
  if (!complete || held !== null) return
  const { time_zone } = await settings.get("program")
  const at = await sync.copy.now()
  const day = dayAt(at, time_zone)
  if ((await store.books.days(day, day)).length > 0) return
  const { read } = await ledgers.progress()
  await store.books.addDay({ day, at, ...(await members.balances()), ledgersRead: read })
}
