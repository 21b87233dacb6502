import type { FaultInput } from "../faults.ts"

const program = { api: "program" } as const
const cards = { api: "giftcard" } as const
const issues = { ...cards, method: "POST" } as const
const read = { ...program, method: "GET" } as const
const members = { ...read, path: "/v1/members*" } as const
const history = { ...read, path: "/v1/members/*/transactions" } as const
const writes = (rule: Pick<FaultInput, "kind" | "ms">): FaultInput[] =>
  ["POST", "PATCH", "DELETE"].map((method) => ({ ...rule, match: { ...program, method } }))
/** A fault of the services as a switch; its id is stored between visits. */
const preset =
  (group: string) =>
  (id: string, label: string, help: string, ...rules: readonly FaultInput[]) => {
    return { id, group, label, help, rules }
  }
const response = preset("Program service responses")
const write = preset("Changes to members")
const card = preset("Gift-card service")
const record = preset("Record contents")

const lagDays = 60
const lagMs = lagDays * 24 * 60 * 60 * 1000

export const faultPresets = [
  response("slow", "Slow", "Every response takes 4 s", { kind: "slow", ms: 4000, match: program }),
  response("offline", "Offline", "It can’t be reached at all", { kind: "unreachable", match: program }),
  response("429", "Too many requests", "Every other request is refused with 429", {
    kind: "429",
    match: { ...program, every: 2 },
  }),
  response("500", "Server error", "Reads return 500", { kind: "before-commit-500", match: read }),
  response("drop", "Connection drops", "Reads drop without a response", { kind: "drop-before", match: read }),
  response("hang", "No response", "Reads hang until the 12 s deadline", { kind: "hang", match: read }),
  response("html", "A web page", "HTML instead of data", { kind: "html", match: read }),
  response("truncated", "Cut short", "Responses end early", { kind: "truncated", match: read }),
  write("write-500", "Fails before", "500, and nothing was done", ...writes({ kind: "before-commit-500" })),
  write(
    "write-500-after",
    "Done, then an error",
    "500, but the change was made",
    ...writes({ kind: "after-commit-500" }),
  ),
  write(
    "write-drop-after",
    "Done, then the line drops",
    "No response, but the change was made",
    ...writes({ kind: "drop-after" }),
  ),
  write(
    "write-late",
    "Done late",
    "500, and the change is made 5 s later",
    ...writes({ kind: "late-commit", ms: 5000 }),
  ),
  write(
    "conflict",
    "Changed by someone else",
    "A member or order changes right before it is read",
    { kind: "changed-before", match: { ...read, path: "/v1/members/*" } },
    { kind: "changed-before", match: { ...read, path: "/v1/orders/*" } },
  ),
  card("cards-fund", "Empty fund", "Issuing is refused with 402", { kind: "empty-fund", match: issues }),
  card("cards-lost", "Lost responses", "The card is issued, but no response comes", {
    kind: "drop-after",
    match: issues,
  }),
  card("cards-slow", "Slow", "Every response takes 4 s", { kind: "slow", ms: 4000, match: cards }),
  card("cards-500", "Server error", "500, and no card is issued", {
    kind: "before-commit-500",
    match: issues,
  }),
  card("cards-offline", "Offline", "It can’t be reached at all", { kind: "unreachable", match: cards }),
  record("unknown-enum", "Unknown status", "An undocumented status", {
    kind: "unknown-enum",
    match: members,
  }),
  record("missing-field", "Missing field", "Members without a company", {
    kind: "missing-field",
    field: "company",
    match: members,
  }),
  record("extra-field", "Extra field", "Members with an undocumented field", {
    kind: "extra-field",
    match: members,
  }),
  record("wrong-type", "Wrong type", "Points sent as an object", {
    kind: "wrong-type",
    field: "points_balance",
    match: members,
  }),
  record("lagging-history", "History lags", `The ledger is missing its last ${lagDays} days`, {
    kind: "lagging-history",
    ms: lagMs,
    match: history,
  }),
]
