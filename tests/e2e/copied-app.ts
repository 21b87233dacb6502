import { expect } from "@playwright/test"
import { appStatus } from "../../contract/status.ts"
import { demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import { type AppProcess, startAppProcess } from "../support/app-process.ts"
import { dataOf, signInAs } from "../support/person.ts"

/** Requests a minute of which the local copy takes a tenth: it is filled within seconds. */
const rateLimit = "60000"

/** An app with a complete local copy: every member and every ledger was read. */
export async function startCopiedApp(members: number): Promise<AppProcess> {
  const app = await startAppProcess({
    PROGRAM_RATE_LIMIT: rateLimit,
    SANDBOX_RATE_LIMIT: "0",
    SANDBOX_MEMBERS: String(members),
    SYNC: "on",
  })
  const person = await signInAs(
    app.url,
    demoPeople.find(({ role }) => role === "admin")?.email ?? "",
    demoPassword,
  )
  const read = async () => dataOf(await person.ask("/status"), appStatus).copy.ledgers?.live
  await expect.poll(read).toBe(members)
  return app
}
