import { hashPassword } from "better-auth/crypto"
import type { About } from "../../contract/session.ts"
import type { Accounts } from "../../core/users/accounts.ts"
import { demoAccount, demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import type { Engine } from "../store/engine.ts"
import { insertUser } from "./users.ts"

const demoEmails = demoPeople.map(({ email }) => email)

/** The demo accounts still enabled, with their current roles: an administrator may have changed them. */
export async function openDemoAccounts(accounts: Pick<Accounts, "list">): Promise<About["demo_accounts"]> {
  const users = (await accounts.list()).filter(({ disabled }) => !disabled)
  return demoEmails.flatMap((email) => users.filter((user) => user.email === email).map(demoAccount))
}

/** Creates the demo accounts that are missing. Only ever called on the store of the built-in sandbox. */
export async function addDemoAccounts({ db }: Engine): Promise<void> {
  const existing = await db.selectFrom("app_user").select("email").where("email", "in", demoEmails).execute()
  for (const person of demoPeople.filter(({ email }) => existing.every((user) => user.email !== email))) {
    const hash = await hashPassword(demoPassword)
    await db.transaction().execute((within) => insertUser(within, person, hash))
  }
}

/** Disables whatever demo accounts a store holds that is not the sandbox's: their password is known to everyone. */
export async function closeDemoAccounts({ db }: Engine): Promise<void> {
  await db.transaction().execute(async (within) => {
    const closed = await within
      .updateTable("app_user")
      .set((eb) => ({ disabled_at: eb.fn.coalesce("disabled_at", eb.val(new Date().toISOString())) }))
      .where("email", "in", demoEmails)
      .returning("id")
      .execute()
    for (const { id } of closed) await within.deleteFrom("app_session").where("user_id", "=", id).execute()
  })
}
