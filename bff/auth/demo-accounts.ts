import { demoPassword, demoPeople } from "../../contract/users.ts"
import type { Engine } from "../store/engine.ts"
import { hashPassword } from "better-auth/crypto"
import { insertUser } from "./users.ts"

const demoEmails = demoPeople.map(({ email }) => email)

/** Makes the demo accounts that are missing. Only ever called on the store of the built-in sandbox. */
export async function addDemoAccounts(engine: Engine): Promise<void> {
  const there = await engine.db
    .selectFrom("desk_user")
    .select("email")
    .where("email", "in", demoEmails)
    .execute()
  const missing = demoPeople.filter(({ email }) => !there.some((row) => row.email === email))
  for (const person of missing) await insertUser(engine, person, await hashPassword(demoPassword))
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
