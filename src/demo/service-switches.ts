import type { SandboxSettings } from "../../sandbox/config.ts"
import type { FaultInput } from "../../sandbox/faults.ts"

/** Something that can go wrong at the services, as a switch. */
export interface FaultPreset {
  readonly id: string
  readonly group: "responses" | "writes" | "records"
  readonly label: string
  /** What the desk meets. */
  readonly help: string
  readonly rules: readonly FaultInput[]
}

const program = { api: "program" } as const
const read = { ...program, method: "GET" } as const
const writes = ({ kind, ms }: Pick<FaultInput, "kind" | "ms">): FaultInput[] =>
  ["POST", "PATCH", "DELETE"].map((method) => ({ kind, ms, match: { api: "program", method } }))

const lagDays = 60
const lagMs = lagDays * 24 * 60 * 60 * 1000

/** Everything the panel can switch on. Ids are kept between visits. */
export const faultPresets: readonly FaultPreset[] = [
  {
    id: "slow",
    group: "responses",
    label: "Slow",
    help: "Every response takes 4 s",
    rules: [{ kind: "slow", ms: 4000, match: program }],
  },
  {
    id: "429",
    group: "responses",
    label: "Too many requests",
    help: "Every other request is refused with 429",
    rules: [{ kind: "429", match: { ...program, every: 2 } }],
  },
  {
    id: "500",
    group: "responses",
    label: "Server error",
    help: "Reads return 500",
    rules: [{ kind: "before-commit-500", match: read }],
  },
  {
    id: "drop",
    group: "responses",
    label: "Connection drops",
    help: "Reads drop without a response",
    rules: [{ kind: "drop-before", match: read }],
  },
  {
    id: "hang",
    group: "responses",
    label: "No response",
    help: "Reads hang until the 12 s deadline",
    rules: [{ kind: "hang", match: read }],
  },
  {
    id: "html",
    group: "responses",
    label: "A web page",
    help: "HTML instead of data",
    rules: [{ kind: "html", match: read }],
  },
  {
    id: "truncated",
    group: "responses",
    label: "Cut short",
    help: "Responses end early",
    rules: [{ kind: "truncated", match: read }],
  },
  {
    id: "write-500",
    group: "writes",
    label: "Fails before",
    help: "500, and nothing was done",
    rules: writes({ kind: "before-commit-500" }),
  },
  {
    id: "write-500-after",
    group: "writes",
    label: "Done, then an error",
    help: "500, but the change was made",
    rules: writes({ kind: "after-commit-500" }),
  },
  {
    id: "write-drop-after",
    group: "writes",
    label: "Done, then the line drops",
    help: "No response, but the change was made",
    rules: writes({ kind: "drop-after" }),
  },
  {
    id: "write-late",
    group: "writes",
    label: "Done late",
    help: "500, and the change is made 5 s later",
    rules: writes({ kind: "late-commit", ms: 5000 }),
  },
  {
    id: "unknown-enum",
    group: "records",
    label: "Unknown status",
    help: "An undocumented status",
    rules: [{ kind: "unknown-enum", match: { ...read, path: "/v1/members*" } }],
  },
  {
    id: "missing-field",
    group: "records",
    label: "Missing field",
    help: "Members without a company",
    rules: [{ kind: "missing-field", field: "company", match: { ...read, path: "/v1/members*" } }],
  },
  {
    id: "extra-field",
    group: "records",
    label: "Extra field",
    help: "Members with an undocumented field",
    rules: [{ kind: "extra-field", match: { ...read, path: "/v1/members*" } }],
  },
  {
    id: "wrong-type",
    group: "records",
    label: "Wrong type",
    help: "Points sent as an object",
    rules: [{ kind: "wrong-type", field: "points_balance", match: { ...read, path: "/v1/members*" } }],
  },
  {
    id: "lagging-history",
    group: "records",
    label: "History lags",
    help: `The ledger is missing its last ${lagDays} days`,
    rules: [{ kind: "lagging-history", ms: lagMs, match: { ...read, path: "/v1/members/*/transactions" } }],
  },
]

/** A question the two documents leave open, with the answers a service may give. */
interface ServiceChoice {
  readonly name: keyof SandboxSettings
  readonly label: string
  readonly options: readonly { readonly value: string | boolean; readonly label: string }[]
}

/** The open questions the panel lets one decide: those whose answer shows on a page of this version. */
export const serviceChoices = [
  {
    name: "metadataPatch",
    label: "Metadata on a change",
    options: [
      { value: "replace", label: "Replaced" },
      { value: "merge", label: "Merged" },
    ],
  },
  {
    name: "absentFields",
    label: "Fields without a value",
    options: [
      { value: "omit", label: "Excluded" },
      { value: "null", label: "null" },
      { value: "empty", label: "Empty text" },
    ],
  },
  {
    name: "searchScope",
    label: "Search covers",
    options: [
      { value: "name-email", label: "Name, e-mail" },
      { value: "name-email-company", label: "Company too" },
    ],
  },
  {
    name: "memberSort",
    label: "Order of members",
    options: [
      { value: "oldest", label: "Oldest first" },
      { value: "newest", label: "Newest first" },
    ],
  },
  {
    name: "newMemberStatus",
    label: "A new member is",
    options: [
      { value: "active", label: "Active" },
      { value: "pending", label: "Pending" },
    ],
  },
  {
    name: "programReadOnly",
    label: "The key may",
    options: [
      { value: false, label: "Read and write" },
      { value: true, label: "Only read" },
    ],
  },
] as const satisfies readonly ServiceChoice[]

/** A question the panel lets one decide. */
export type ChoiceName = (typeof serviceChoices)[number]["name"]
