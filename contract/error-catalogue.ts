import type { RowOutcomeCode } from "./row-outcomes.ts"
import { type JobKind, pauseCodes } from "./job.ts"
import { jobKindDescriptors } from "./job-kinds.ts"
import type { Api } from "./status.ts"

/** Whose job it is to resolve an error. */
export type ErrorOwner = "person" | "Laurel administrator" | "program administrator" | "service" | "nobody"

/** A step that is offered as a button. */
export type CatalogueAction =
  | "correct"
  | "find-member"
  | "look-up-card"
  | "open-connections"
  | "open-status"
  | "open-templates"
  | "resume-job"
  | "retry"
  | "wait"

/** One error of one service: what happened, whose job it is, the next step. */
export interface CatalogueEntry {
  readonly api: Api
  readonly status: number
  readonly code: string | null
  readonly title: string
  readonly happened: string
  readonly whose: ErrorOwner
  readonly next: string
  readonly action?: CatalogueAction
  /** The whole job is affected, not one row: it pauses after one call (docs/decisions/0002-money.md). */
  readonly systemic: boolean
}

type Row = Omit<CatalogueEntry, "api" | "systemic"> & { readonly systemic?: true }

function entriesOf(api: Api, rows: readonly Row[]): readonly CatalogueEntry[] {
  return rows.map((row) => ({ api, systemic: false, ...row }))
}

/** The owners by name. */
export const ownerNames: Readonly<Record<ErrorOwner, string>> = {
  person: "The person who sent it",
  "Laurel administrator": "A Laurel administrator",
  "program administrator": "A program administrator",
  service: "The service",
  nobody: "No action needed",
}

/** The owners in a sentence. */
export const ownerSentences: Readonly<Record<ErrorOwner, string>> = {
  person: "Anyone who can send it can fix this.",
  "Laurel administrator": "A Laurel administrator has to fix this.",
  "program administrator": "A program administrator has to fix this.",
  service: "The service has to fix this.",
  nobody: "No action needed.",
}

const refusedField = {
  status: 400,
  title: "The service refused a field",
  happened: "A field isn’t valid, or the amount isn’t available for the card. No card was issued.",
  whose: "person",
  next: "Correct what the message names, then send it again.",
  action: "correct",
} as const

const incompleteSetUp = {
  status: 422,
  whose: "program administrator",
  next: "Ask the program administrator to finish setting up the card in the dashboard, then resume. Nothing is issued twice.",
  action: "resume-job",
  systemic: true,
} as const

/** Every error of the gift-card service (docs/api/giftcard.md, Errors). */
export const giftcardErrors = entriesOf("giftcard", [
  {
    status: 400,
    code: "NO_CARD_SPECIFIED",
    title: "No card template chosen",
    happened: "The request named no template and the integration has no default. No card was issued.",
    whose: "Laurel administrator",
    next: "Choose a template, or set a default on the integration.",
    action: "open-templates",
    systemic: true,
  },
  { ...refusedField, code: "INVALID_ARGUMENT" },
  { ...refusedField, code: "VALIDATION_ERROR" },
  {
    status: 401,
    code: null,
    title: "The gift-card API key was rejected",
    happened: "The service doesn’t accept Laurel’s key. No card was issued.",
    whose: "Laurel administrator",
    next: "Create a key in the dashboard under Integrations, Custom API, set GIFTCARD_API_KEY to it and restart Laurel.",
    action: "open-connections",
    systemic: true,
  },
  {
    status: 402,
    code: "INSUFFICIENT_FUND",
    title: "The program's fund is too low",
    happened: "It doesn’t cover the face value and fees. This card and the ones after it were not issued.",
    whose: "program administrator",
    next: "Top up the fund, then resume. Nothing is issued twice.",
    action: "resume-job",
    systemic: true,
  },
  {
    status: 403,
    code: "PERMISSION_DENIED",
    title: "The gift-card API key lacks permission",
    happened: "Issuing needs the giftCard write permission; lookups need giftCard read. Nothing was done.",
    whose: "program administrator",
    next: "Give the integration's key that permission in the dashboard under Integrations.",
    action: "open-connections",
    systemic: true,
  },
  {
    status: 404,
    code: null,
    title: "Not found at the gift-card service",
    happened: "The card or card template doesn’t exist. Nothing was done.",
    whose: "person",
    next: "Check the id, reference or template.",
    action: "look-up-card",
  },
  {
    status: 409,
    code: "DUPLICATE_EXTERNAL_REF",
    title: "This reference already has a card",
    happened: "The template already has a card with this reference. No second card was issued.",
    whose: "person",
    next: "Open the existing card, or use another reference for a new one.",
    action: "look-up-card",
  },
  {
    status: 409,
    code: "AMBIGUOUS_EXTERNAL_REF",
    title: "Several cards have this reference",
    happened: "References are unique within one template only, and no template was named.",
    whose: "person",
    next: "Choose a template.",
    action: "look-up-card",
  },
  {
    status: 409,
    code: "IDEMPOTENCY_IN_PROGRESS",
    title: "This card is already being issued",
    happened: "The first request with this key hasn’t finished. No second card is created.",
    whose: "nobody",
    next: "Laurel retries automatically until the first one finishes.",
    action: "wait",
  },
  {
    ...incompleteSetUp,
    code: "SETUP_INCOMPLETE_CATALOGUE",
    title: "The card has no catalogue",
    happened: "No gift card catalogue is assigned to the template. No card was issued.",
  },
  {
    ...incompleteSetUp,
    code: "SETUP_INCOMPLETE_DENOMINATIONS",
    title: "The card has no available amounts",
    happened: "No denomination images were produced for the template. No card was issued.",
  },
  {
    ...incompleteSetUp,
    code: "SETUP_INCOMPLETE_CLIENT_NAME",
    title: "The client's name is missing",
    happened: "The program's branding has no client name. No card was issued.",
  },
  {
    status: 422,
    code: "DENOMINATION_NOT_PRODUCED",
    title: "This amount isn’t available",
    happened: "The amount is configured, but its card image wasn’t produced. No card was issued.",
    whose: "program administrator",
    next: "Choose another amount, or have this one produced in the dashboard.",
    action: "open-templates",
  },
  {
    status: 408,
    code: null,
    title: "The gift-card service took too long",
    happened: "It isn’t known yet whether the card was issued.",
    whose: "nobody",
    next: "Laurel retries with the same key, so a second card isn’t possible.",
    action: "wait",
  },
  {
    status: 429,
    code: null,
    title: "The gift-card service asked Laurel to wait",
    happened: "Too many requests in a minute. No card was issued and nothing is lost.",
    whose: "nobody",
    next: "Laurel waits and retries automatically.",
    action: "wait",
  },
  {
    status: 500,
    code: null,
    title: "The gift-card service had an error",
    happened: "It isn’t known yet whether the card was issued.",
    whose: "service",
    next: "Laurel retries with the same key, so a second card isn’t possible.",
    action: "open-status",
  },
])

/**
 * The 404 of an issue: only there nothing but the template can be meant. Jobs name it by `pauseCodes.templateNotFound`.
 */
export const templateNotFound: CatalogueEntry = {
  api: "giftcard",
  status: 404,
  code: null,
  title: "The card template doesn’t exist",
  happened: "The service has no card template with this id. No card was issued.",
  whose: "Laurel administrator",
  next: "Check the template's id in the settings, then resume.",
  action: "open-templates",
  systemic: true,
}

/** Every error of the program service (docs/api/program.md, Errors). */
export const programErrors = entriesOf("program", [
  {
    status: 400,
    code: "invalid_request",
    title: "The service refused the request",
    happened:
      "A field was missing or invalid, or the member doesn’t have enough points. Nothing was changed.",
    whose: "person",
    next: "Correct what the message names, then send it again.",
    action: "correct",
  },
  {
    status: 401,
    code: "unauthorized",
    title: "The program API key was rejected",
    happened: "The service doesn’t accept Laurel’s key. Nothing was changed.",
    whose: "Laurel administrator",
    next: "Create a key in the program’s dashboard under Settings, API Keys, set PROGRAM_API_KEY to it and restart Laurel.",
    action: "open-connections",
    systemic: true,
  },
  {
    status: 403,
    code: null,
    title: "The program API key lacks permission",
    happened: "The service refused this kind of request for Laurel’s key. Nothing was changed.",
    whose: "program administrator",
    next: "Ask the program administrator to allow it for the API key.",
    action: "open-connections",
    systemic: true,
  },
  {
    status: 404,
    code: "not_found",
    title: "Record not found at the service",
    happened: "It may have been deleted, or its id may be wrong. Nothing was changed.",
    whose: "person",
    next: "Go back to the list and open it from there.",
    action: "find-member",
  },
  {
    status: 429,
    code: null,
    title: "Request limit reached for this minute",
    happened: "The service asked Laurel to wait. Nothing was changed and nothing is lost.",
    whose: "nobody",
    next: "Laurel waits and retries automatically.",
    action: "wait",
  },
  {
    status: 500,
    code: null,
    title: "The program service had an error",
    happened:
      "It failed while processing the request. Laurel checks the record to find out whether a change was made.",
    whose: "service",
    next: "Try again in a moment. If it keeps happening, give the time and the request id to the program’s support.",
    action: "open-status",
  },
])

/** Every error both documents name, and what each means for the person who meets it. */
export const catalogue: readonly CatalogueEntry[] = [...programErrors, ...giftcardErrors]

/** The entry for an error: by code, then by status, then by the status's class; undefined for what is no error. */
export function explainUpstream(
  api: Api,
  status: number,
  code: string | null | undefined,
): CatalogueEntry | undefined {
  const own = catalogue.filter((entry) => entry.api === api)
  const byCode = code ? own.find((entry) => entry.code === code) : undefined
  if (byCode !== undefined) return byCode
  const byStatus = own.filter((entry) => entry.status === status)
  const plain = byStatus.find((entry) => entry.code === null) ?? byStatus[0]
  if (plain !== undefined) return plain
  if (status >= 500) return own.find((entry) => entry.status === 500)
  if (status >= 400) return own.find((entry) => entry.status === 400)
  return undefined
}

/** Of a row: the service said that the reference is taken, and the card that has it was looked up. */
const earlierCard: RowOutcomeCode = "earlier_card"

/** The entry of the catalogue for what stands at a row or at a paused job of a kind. */
export function explainCode(kind: JobKind, code: string): CatalogueEntry | undefined {
  return explainApiCode(jobKindDescriptors[kind].api, code)
}

/** The entry for a service's code, or for its status where it gave none; undefined for Laurel's own reasons. */
export function explainApiCode(api: Api, code: string): CatalogueEntry | undefined {
  if (api === "giftcard" && code === pauseCodes.templateNotFound) return templateNotFound
  const wanted = api === "giftcard" && code === earlierCard ? "DUPLICATE_EXTERNAL_REF" : code
  const own = catalogue.filter((entry) => entry.api === api)
  return (
    own.find((entry) => entry.code === wanted) ??
    own.find((entry) => entry.code === null && wanted === String(entry.status))
  )
}
