import { carrierSettings, type Carrier, type CarrierSettings } from "../../../../contract/carriers.ts"

/** A carrier while it is edited. */
export interface CarrierDraft {
  /** Stays with the line as long as the page is open. */
  readonly key: string
  /** Empty for a new one: it is made of the name when it is saved. */
  readonly code: string
  readonly name: string
  readonly link: string
  readonly offered: boolean
}

/** What is wrong in one line, by field. */
export type CarrierProblems = Readonly<Partial<Record<"name" | "link" | "code", string>>>

/** The lines to edit. */
export function draftsOf(carriers: readonly Carrier[]): readonly CarrierDraft[] {
  return carriers.map(({ code, name, link, offered }) => ({
    key: code,
    code,
    name,
    link: link ?? "",
    offered,
  }))
}

/** What is saved, or what is wrong by line. */
export type CheckedCarriers =
  | { readonly ok: true; readonly settings: CarrierSettings }
  | { readonly ok: false; readonly problems: ReadonlyMap<number, CarrierProblems> }

/** Checks the lines with the schema the server uses, and gives new carriers their codes. */
export function checkCarriers(drafts: readonly CarrierDraft[]): CheckedCarriers {
  const taken = new Set(drafts.map(({ code }) => code))
  const carriers = drafts.map(({ code, name, link, offered }) => {
    const own = code === "" ? freeCode(name, taken) : code
    taken.add(own)
    return { code: own, name, link: link.trim() === "" ? null : link, offered }
  })
  const parsed = carrierSettings.safeParse({ carriers })
  if (parsed.success) return { ok: true, settings: parsed.data }
  const problems = new Map<number, CarrierProblems>()
  for (const { path, message } of parsed.error.issues) {
    const [, line, field] = path
    const at = typeof line === "number" ? line : 0
    const name = field === "link" || field === "code" ? field : "name"
    problems.set(at, { [name]: message, ...problems.get(at) })
  }
  return { ok: false, problems }
}

/** A code of small letters, digits and hyphens that no other carrier has. */
function freeCode(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
  const code = plain.slice(0, 36) || "carrier"
  for (let at = 1; ; at += 1) {
    const tried = at === 1 ? code : `${code}-${at}`
    if (!taken.has(tried)) return tried
  }
}
