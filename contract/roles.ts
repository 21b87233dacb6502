/** Roles of the people at Laurel, most rights first. */
export const roles = ["admin", "manager", "fulfilment", "viewer"] as const
export type Role = (typeof roles)[number]

export const roleNames: Readonly<Record<Role, string>> = {
  admin: "Administrator",
  manager: "Manager",
  fulfilment: "Fulfilment",
  viewer: "Viewer",
}

/**
 * How far a permission reaches. `own`: what the person did; `program`: that and everything but users; `own-orders`: own
 * jobs and order updates; `reasoned`: others' only with a reason; `redacted`: without people's data.
 */
export type Grant = "yes" | "own" | "program" | "own-orders" | "reasoned" | "redacted" | "no"

type Row = Readonly<{ label: string; grants: Readonly<Record<Role, Grant>> }>

const row = (label: string, admin: Grant, manager: Grant, fulfilment: Grant, viewer: Grant): Row => ({
  label,
  grants: { admin, manager, fulfilment, viewer },
})

/** Permissions of each role. The server enforces them; `redaction.ts` lists the fields of a record that a role sees. */
export const permissions = {
  "members.read": row("View members", "yes", "yes", "redacted", "redacted"),
  "members.search": row("Search and filter members", "yes", "yes", "no", "yes"),
  "members.edit": row("Create, edit and deactivate members", "yes", "yes", "no", "no"),
  "members.delete": row("Delete members", "yes", "no", "no", "no"),
  "companies.read": row("View companies and their totals", "yes", "yes", "no", "redacted"),
  "ledger.read": row("View balances and ledgers", "yes", "yes", "no", "yes"),
  "points.write": row("Award, deduct and reverse points", "yes", "yes", "no", "no"),
  "rewards.read": row("View rewards", "yes", "yes", "yes", "yes"),
  "rewards.redeem": row("Redeem for a member", "yes", "yes", "no", "no"),
  "orders.read": row("View orders", "yes", "yes", "yes", "yes"),
  "orders.update": row("Update and ship orders, print slips", "yes", "yes", "yes", "no"),
  "orders.address": row("View the address captured for an order", "yes", "yes", "yes", "no"),
  "secrets.reveal": row("Reveal codes and card links", "yes", "yes", "no", "no"),
  "cards.read": row("View and look up gift cards", "yes", "yes", "no", "yes"),
  "cards.issue": row("Issue gift cards", "yes", "yes", "no", "no"),
  "leaderboards.read": row("View leaderboards", "yes", "yes", "no", "yes"),
  "jobs.read": row("View jobs", "yes", "yes", "own-orders", "redacted"),
  "jobs.control": row("Pause, resume, cancel and decide", "yes", "reasoned", "own", "no"),
  "exports.people": row("Export people’s data", "yes", "yes", "no", "no"),
  "reports.read": row("View reports and the books", "yes", "yes", "no", "redacted"),
  "books.close": row("Close months of the books", "yes", "no", "no", "no"),
  "notes.read": row("Read notes", "yes", "yes", "no", "yes"),
  "notes.write": row("Write notes", "yes", "yes", "no", "no"),
  "audit.read": row("Read the audit log", "yes", "program", "own", "no"),
  "users.manage": row("Manage users and roles", "yes", "no", "no", "no"),
  "settings.connections": row("View service addresses and keys", "yes", "no", "no", "no"),
  "settings.servers": row("State that a server is stopped", "yes", "no", "no", "no"),
  "settings.program": row("Change program, templates and carriers", "yes", "yes", "no", "no"),
  "views.share": row("Share views of lists, change shared ones", "yes", "yes", "own", "own"),
  "status.read": row("View service status and the request budget", "yes", "yes", "yes", "yes"),
} as const satisfies Readonly<Record<string, Row>>

export type Permission = keyof typeof permissions

export function grantOf(role: Role, permission: Permission): Grant {
  return permissions[permission].grants[role]
}

/** Whether `role` has `permission` at all. */
export function can(role: Role, permission: Permission): boolean {
  return grantOf(role, permission) !== "no"
}

/** The least role above `held` that has `permission` in full, for "Requires the Manager role". */
export function roleNeeded(permission: Permission, role: Role = "viewer"): Role {
  const above = roles.slice(0, roles.indexOf(role))
  const holders = above.filter((role) => grantOf(role, permission) === "yes")
  return holders.at(-1) ?? "admin"
}
