import type { Role } from "../roles.ts"
import type { About } from "./session.ts"

/** One password for all of them: these people exist only where everything is made up. */
export const demoPassword = "laurel-sandbox"

/** Somebody who works at the built-in sandbox or in the demo. */
export interface DemoPerson {
  /** Id in the demo. A server's store gives its own. */
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}

/** The people the sandbox and the demo begin with, one for each role. The sign-in page offers them. */
export const demoPeople: readonly DemoPerson[] = [
  { id: "usr_helen", name: "Helen Park", email: "admin@laurel.demo", role: "admin" },
  { id: "usr_priya", name: "Priya Nair", email: "manager@laurel.demo", role: "manager" },
  { id: "usr_tom", name: "Tom Whitlock", email: "packer@laurel.demo", role: "fulfilment" },
  { id: "usr_grace", name: "Grace Lim", email: "viewer@laurel.demo", role: "viewer" },
]

const does: Readonly<Record<Role, string>> = {
  admin: "Full access, including users",
  manager: "Points, rewards, cards",
  fulfilment: "Orders and the ship desk",
  viewer: "Read only, no codes or links",
}

/** An account as the sign-in page offers it. */
export function demoOfferOf({
  email,
  role,
}: Pick<DemoPerson, "email" | "role">): About["demo_accounts"][number] {
  return { email, role, password: demoPassword, does: does[role] }
}
