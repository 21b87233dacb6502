import * as z from "zod/mini"
import { keptAccounts } from "../accounts/demo-accounts.ts"

/** A record the sandbox changed, as it hands them out. `value` null: it is gone. */
const savedChange = z.object({ kind: z.string(), id: z.string(), value: z.unknown() })
/** A record the sandbox changed. */
export type SavedChange = z.output<typeof savedChange>

/**
 * Everything the demo keeps between visits. No secret is in it: no password, no token, no digital code, no redeem
 * link. The sandbox's changes and the store are checked by those who take them over.
 */
export const savedState = z.strictObject({
  /** Another version is not read: the demo then starts afresh and says so. */
  version: z.literal(2),
  accounts: keptAccounts,
  /** Id of who is signed in. */
  session: z.nullable(z.string()),
  /** Ids of the faults that are switched on. */
  faults: z.array(z.string()),
  sandbox: z.array(savedChange),
  /** The desk's own database as a file. */
  store: z.instanceof(Uint8Array),
})
/** Everything the demo keeps between visits. */
export type SavedState = z.output<typeof savedState>
