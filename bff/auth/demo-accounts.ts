import type { About } from "../../contract/desk/session.ts"
import type { Engine } from "../store/engine.ts"
import { hashPassword } from "better-auth/crypto"
import { insertUser } from "./users.ts"

/** One password for all of them: they exist only in a store made for the built-in sandbox. */
const password = "laurel-sandbox"

/** The people of the sandbox, one for each role. The sign-in page offers them. */
export const demoAccounts: readonly (About["demo_accounts"][number] & { readonly name: string })[] = [
  {
    name: "Helen Park",
    email: "admin@laurel.demo",
    password,
    role: "admin",
    does: "Everything, users too",
  },
  {
    name: "Priya Nair",
    email: "manager@laurel.demo",
    password,
    role: "manager",
    does: "Points, rewards, cards",
  },
  {
    name: "Tom Whitlock",
    email: "packer@laurel.demo",
    password,
    role: "fulfilment",
    does: "Orders and the ship desk",
  },
  {
    name: "Grace Lim",
    email: "viewer@laurel.demo",
    password,
    role: "viewer",
    does: "Reads, no codes and no links",
  },
]

const demoEmails = demoAccounts.map((account) => account.email)

/** Makes the demo accounts that are missing. Only ever called on the store of the built-in sandbox. */
export async function addDemoAccounts(engine: Engine): Promise<void> {
  const there = await engine.db
    .selectFrom("desk_user")
    .select("email")
    .where("email", "in", demoEmails)
    .execute()
  const missing = demoAccounts.filter((account) => !there.some((row) => row.email === account.email))
  for (const account of missing) {
    await insertUser(engine, account, await hashPassword(account.password))
  }
}

/** Closes whatever demo accounts a store holds that is not the sandbox's: their password is known to everyone. */
export async function closeDemoAccounts(engine: Engine): Promise<void> {
  await engine.db.transaction().execute(async (within) => {
    await within
      .updateTable("desk_user")
      .set({ disabled_at: new Date().toISOString() })
      .where("email", "in", demoEmails)
      .where("disabled_at", "is", null)
      .execute()
    await within
      .deleteFrom("desk_session")
      .where("user_id", "in", (eb) =>
        eb.selectFrom("desk_user").select("id").where("email", "in", demoEmails),
      )
      .execute()
  })
}
