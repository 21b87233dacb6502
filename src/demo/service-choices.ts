import type { SandboxSettings } from "../../sandbox/config.ts"

/** A question the two documents leave open, with the answers a service may give. */
export interface ServiceChoice {
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
