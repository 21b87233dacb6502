import type { Role } from "../../contract/roles.ts"
import type { About } from "../../contract/session.ts"

/** One password for all of them: these people exist only where everything is made up. */
export const demoPassword = "laurel-sandbox"

type DemoPerson = Readonly<{ id: string; name: string; email: string; role: Role }>

/** The people of the sandbox and the demo, one per role. The sign-in page offers them. */
export const demoPeople: readonly DemoPerson[] = [
  { id: "usr_helen", name: "Helen Park", email: "admin@laurel.demo", role: "admin" },
  { id: "usr_priya", name: "Priya Nair", email: "manager@laurel.demo", role: "manager" },
  { id: "usr_tom", name: "Tom Whitlock", email: "packer@laurel.demo", role: "fulfilment" },
  { id: "usr_grace", name: "Grace Lim", email: "viewer@laurel.demo", role: "viewer" },
]

const descriptions: Readonly<Record<Role, string>> = {
  admin: "Full access, including users",
  manager: "Points, rewards, cards",
  fulfilment: "Orders and the ship desk",
  viewer: "Read only, no codes or links",
}

/** What the sign-in page shows of an account, with its current role. */
export function demoAccount({
  email,
  role,
}: Pick<DemoPerson, "email" | "role">): About["demo_accounts"][number] {
  return { email, role, password: demoPassword, does: descriptions[role] }
}
