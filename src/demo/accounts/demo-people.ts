import type { About } from "../../../contract/desk/session.ts"
import type { DeskUser } from "../../../contract/desk/user.ts"

/**
 * The one password of the demo: it opens made-up people in this browser and nothing else. Whoever sets another one
 * keeps it until the page is loaded again, because no password is written to the browser's storage.
 */
export const demoPassword = "laurel-sandbox"

type Person = Pick<DeskUser, "id" | "name" | "email" | "role">

/** The people the demo begins with, one for each role. */
export const demoPeople: readonly Person[] = [
  { id: "usr_helen", name: "Helen Park", email: "admin@laurel.demo", role: "admin" },
  { id: "usr_priya", name: "Priya Nair", email: "manager@laurel.demo", role: "manager" },
  { id: "usr_tom", name: "Tom Whitlock", email: "packer@laurel.demo", role: "fulfilment" },
  { id: "usr_grace", name: "Grace Lim", email: "viewer@laurel.demo", role: "viewer" },
]

const does: Readonly<Record<Person["role"], string>> = {
  admin: "Everything, users too",
  manager: "Points, rewards, cards",
  fulfilment: "Orders and the ship desk",
  viewer: "Reads, no codes and no links",
}

/** An account as the sign-in page offers it. */
export function offerOf({ email, role }: Pick<DeskUser, "email" | "role">): About["demo_accounts"][number] {
  return { email, role, password: demoPassword, does: does[role] }
}
