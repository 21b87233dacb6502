import type { RowOutcomeCode } from "./row-outcomes.ts"
import { pauseCodes } from "./job.ts"
import { jobKindDescriptors, type JobKind } from "./job-kinds.ts"
import type { Api } from "./response.ts"

export type ErrorOwner = "person" | "Laurel administrator" | "program administrator" | "service" | "nobody"

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
  readonly action: CatalogueAction
  /** The whole job is affected, not one row: it pauses after one call (docs/jobs.md). */
  readonly systemic: boolean
}

function one(
  api: Api,
  status: number,
  code: string | null,
  whose: ErrorOwner,
  action: CatalogueAction,
  texts: Pick<CatalogueEntry, "title" | "happened" | "next">,
): CatalogueEntry {
  return { api, status, code, whose, action, ...texts, systemic: false }
}

/** The same for an error that stops the whole job. */
const stops = (...about: Parameters<typeof one>) => ({ ...one(...about), systemic: true })

export const ownerNames: Readonly<Record<ErrorOwner, string>> = {
  person: "The person who sent it",
  "Laurel administrator": "A Laurel administrator",
  "program administrator": "A program administrator",
  service: "The service",
  nobody: "No action needed",
}

export const ownerSentences: Readonly<Record<ErrorOwner, string>> = {
  person: "Anyone who can send it can fix this.",
  "Laurel administrator": "A Laurel administrator has to fix this.",
  "program administrator": "A program administrator has to fix this.",
  service: "The service has to fix this.",
  nobody: "No action needed.",
}

const refusedField = {
  title: "The service refused a field",
  happened: "A field isn’t valid, or the amount isn’t available for the card. No card was issued.",
  next: "Correct what the message names, then send it again.",
}
const finishSetUp =
  "Ask the program administrator to finish setting up the card in the dashboard, then resume. Nothing is issued twice."

/** Every error of the gift-card service (docs/api/giftcard.md, Errors). */
export const giftcardErrors: readonly CatalogueEntry[] = [
  stops("giftcard", 400, "NO_CARD_SPECIFIED", "Laurel administrator", "open-templates", {
    title: "No card template chosen",
    happened: "The request named no template and the integration has no default. No card was issued.",
    next: "Choose a template, or set a default on the integration.",
  }),
  one("giftcard", 400, "INVALID_ARGUMENT", "person", "correct", refusedField),
  one("giftcard", 400, "VALIDATION_ERROR", "person", "correct", refusedField),
  stops("giftcard", 401, null, "Laurel administrator", "open-connections", {
    title: "The gift-card API key was rejected",
    happened: "The service doesn’t accept Laurel’s key. No card was issued.",
    next: "Create a key in the dashboard under Integrations, Custom API, set GIFTCARD_API_KEY to it and restart Laurel.",
  }),
  stops("giftcard", 402, "INSUFFICIENT_FUND", "program administrator", "resume-job", {
    title: "The program’s fund is too low",
    happened: "The fund is empty or doesn’t cover the next card. No card was lost.",
    next: "Top up the fund, then resume. Nothing is issued twice.",
  }),
  stops("giftcard", 403, "PERMISSION_DENIED", "program administrator", "open-connections", {
    title: "The gift-card API key lacks permission",
    happened: "Issuing needs the giftCard write permission; lookups need giftCard read. Nothing was done.",
    next: "Give the integration’s key that permission in the dashboard under Integrations.",
  }),
  one("giftcard", 404, null, "person", "look-up-card", {
    title: "Not found at the gift-card service",
    happened: "The card or card template doesn’t exist. Nothing was done.",
    next: "Check the id, reference or template.",
  }),
  one("giftcard", 409, "DUPLICATE_EXTERNAL_REF", "person", "look-up-card", {
    title: "This reference already has a card",
    happened: "The template already has a card with this reference. No second card was issued.",
    next: "Open the existing card, or use another reference for a new one.",
  }),
  one("giftcard", 409, "AMBIGUOUS_EXTERNAL_REF", "person", "look-up-card", {
    title: "Several cards have this reference",
    happened: "References are unique within one template only, and no template was named.",
    next: "Choose a template.",
  }),
  one("giftcard", 409, "IDEMPOTENCY_IN_PROGRESS", "nobody", "wait", {
    title: "This card is already being issued",
    happened: "The first request with this key hasn’t finished. No second card is created.",
    next: "Laurel retries automatically until the first one finishes.",
  }),
  stops("giftcard", 422, "SETUP_INCOMPLETE_CATALOGUE", "program administrator", "resume-job", {
    next: finishSetUp,
    title: "The card has no catalogue",
    happened: "No gift card catalogue is assigned to the template. No card was issued.",
  }),
  stops("giftcard", 422, "SETUP_INCOMPLETE_DENOMINATIONS", "program administrator", "resume-job", {
    next: finishSetUp,
    title: "The card has no available amounts",
    happened: "No denomination images were produced for the template. No card was issued.",
  }),
  stops("giftcard", 422, "SETUP_INCOMPLETE_CLIENT_NAME", "program administrator", "resume-job", {
    next: finishSetUp,
    title: "The client’s name is missing",
    happened: "The program’s branding has no client name. No card was issued.",
  }),
  one("giftcard", 422, "DENOMINATION_NOT_PRODUCED", "program administrator", "open-templates", {
    title: "This amount isn’t available",
    happened: "The amount is configured, but its card image wasn’t produced. No card was issued.",
    next: "Choose another amount, or have this one produced in the dashboard.",
  }),
  one("giftcard", 408, null, "nobody", "wait", {
    title: "The gift-card service took too long",
    happened: "It isn’t known yet whether the card was issued.",
    next: "Laurel retries with the same key, so a second card isn’t possible.",
  }),
  one("giftcard", 429, null, "nobody", "wait", {
    title: "The gift-card service asked Laurel to wait",
    happened: "Too much was sent within a minute. No card was issued and nothing is lost.",
    next: "Laurel waits and retries automatically.",
  }),
  one("giftcard", 500, null, "service", "open-status", {
    title: "The gift-card service had an error",
    happened: "It isn’t known yet whether the card was issued.",
    next: "Laurel retries with the same key, so a second card isn’t possible.",
  }),
]

/** The 404 of an issue: only there nothing but the template can be meant. Jobs name it by `pauseCodes.templateNotFound`. */
export const templateNotFound: CatalogueEntry = stops(
  "giftcard",
  404,
  null,
  "Laurel administrator",
  "open-templates",
  {
    title: "The card template doesn’t exist",
    happened: "The service has no card template with this id. No card was issued.",
    next: "Check the template’s id in the settings, then resume.",
  },
)

/** Every error of the program service (docs/api/program.md, Errors). */
const programErrors: readonly CatalogueEntry[] = [
  one("program", 400, "invalid_request", "person", "correct", {
    title: "The service refused the request",
    happened:
      "A field was missing or invalid, or the member doesn’t have enough points. Nothing was changed.",
    next: "Correct what the message names, then send it again.",
  }),
  stops("program", 401, "unauthorized", "Laurel administrator", "open-connections", {
    title: "The program API key was rejected",
    happened: "The service doesn’t accept Laurel’s key. Nothing was changed.",
    next: "Create a key in the program’s dashboard under Settings, API Keys, set PROGRAM_API_KEY to it and restart Laurel.",
  }),
  stops("program", 403, null, "program administrator", "open-connections", {
    title: "The program API key lacks permission",
    happened: "The service refused this kind of request for Laurel’s key. Nothing was changed.",
    next: "Ask the program administrator to allow it for the API key.",
  }),
  one("program", 404, "not_found", "person", "find-member", {
    title: "Record not found at the service",
    happened: "It may have been deleted, or its id may be wrong. Nothing was changed.",
    next: "Go back to the list and open it from there.",
  }),
  one("program", 429, null, "nobody", "wait", {
    title: "The program service asked Laurel to wait",
    happened: "Too much was sent within a minute. Nothing was changed and nothing is lost.",
    next: "Laurel waits and retries automatically.",
  }),
  one("program", 500, null, "service", "open-status", {
    title: "The program service had an error",
    happened:
      "It failed while processing the request. Laurel checks the record to find out whether a change was made.",
    next: "Try again in a moment. If it keeps happening, give the time and the request id to the program’s support.",
  }),
]

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

/** The entry for the code of a row or of a paused job of a kind. */
export function explainCode(kind: JobKind, code: string): CatalogueEntry | undefined {
  return explainApiCode(jobKindDescriptors[kind].api, code)
}

/** The entry for a service's code, or for its status where it gave none; undefined for Laurel's own reasons. */
export function explainApiCode(api: Api, code: string): CatalogueEntry | undefined {
  if (api === "giftcard" && code === pauseCodes.templateNotFound) return templateNotFound
  // A row whose reference is taken by a card that was looked up.
  const wanted =
    api === "giftcard" && code === ("earlier_card" satisfies RowOutcomeCode) ? "DUPLICATE_EXTERNAL_REF" : code
  const own = catalogue.filter((entry) => entry.api === api)
  return (
    own.find((entry) => entry.code === wanted) ??
    own.find((entry) => entry.code === null && wanted === String(entry.status))
  )
}
