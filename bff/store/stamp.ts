import type { Environment } from "../../contract/users.ts"
import type { Engine } from "./engine.ts"

/** What a store is used for. An address that is not connected is null. */
export interface Stamp {
  readonly environment: Environment
  readonly programBaseUrl: string | null
  readonly giftcardBaseUrl: string | null
}

/**
 * Marks the store at its first use with the environment and both base addresses, and compares at every later one.
 * Returns a sentence for each value that disagrees; with none the work may go on. An address that was left out
 * before may be added, and one may be left out; it can never become another one, because what is stored here
 * belongs to that service.
 */
export async function stampStore(engine: Engine, wanted: Stamp): Promise<string[]> {
  return engine.db.transaction().execute(async (within) => {
    const now = await engine.lock(within, "stamp")
    const found = await within.selectFrom("stamp").selectAll().executeTakeFirst()
    const row = {
      environment: wanted.environment,
      program_base_url: wanted.programBaseUrl,
      giftcard_base_url: wanted.giftcardBaseUrl,
    }
    if (found === undefined) {
      await within
        .insertInto("stamp")
        .values({ id: 1, ...row, stamped_at: now })
        .execute()
      return []
    }
    const problems = [
      differs("ENVIRONMENT", found.environment, row.environment),
      differs("PROGRAM_BASE_URL", found.program_base_url, row.program_base_url),
      differs("GIFTCARD_BASE_URL", found.giftcard_base_url, row.giftcard_base_url),
    ].filter((problem) => problem !== undefined)
    if (problems.length > 0) return problems
    await within
      .updateTable("stamp")
      .set({
        program_base_url: found.program_base_url ?? row.program_base_url,
        giftcard_base_url: found.giftcard_base_url ?? row.giftcard_base_url,
      })
      .execute()
    return []
  })
}

function differs(name: string, stored: string | null, now: string | null): string | undefined {
  if (stored === null || now === null || stored === now) return undefined
  return `${name} is ${now}, but this store was first used with ${stored}. Use the store made for ${now} (another DATA_DIR or DATABASE_URL), or set ${name} back.`
}
