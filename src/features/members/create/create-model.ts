import { limits } from "../../../../contract/limits.ts"
import { createMemberBody, type CreateMemberBody } from "../../../../contract/program/member.ts"
import { emailText, plainText, requiredText } from "../../../../contract/program/common.ts"
import { metadataOf, metadataRow, metadataRows, rowsOf } from "../../../forms/metadata.ts"
import * as z from "zod/mini"

/** What the create form's fields hold. */
export const createValues = z.object({
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  company: z.string(),
  phone: z.string(),
  metadata: z.array(metadataRow),
})
/** What the create form's fields hold. */
export type CreateValues = z.output<typeof createValues>

/** An empty form. */
export const emptyMember: CreateValues = {
  email: "",
  first_name: "",
  last_name: "",
  company: "",
  phone: "",
  metadata: [],
}

/** The form's rules (docs/api/program.md, Create member). */
export const createSchema: z.ZodMiniType<CreateValues, CreateValues> = z.object({
  email: emailText,
  first_name: requiredText("a first name"),
  last_name: requiredText("a last name"),
  company: plainText(),
  phone: plainText(limits.phone),
  metadata: metadataRows,
})

/** The form as it is sent: what was left empty is left out. */
export function createBodyOf(values: CreateValues): CreateMemberBody {
  const { company, phone, metadata, ...required } = values
  return {
    ...required,
    ...(company === "" ? {} : { company }),
    ...(phone === "" ? {} : { phone }),
    ...(metadata.length === 0 ? {} : { metadata: metadataOf(metadata) }),
  }
}

/** The form again from what was sent, as far as it can be read. */
export function valuesOfBody(input: unknown): CreateValues {
  const sent = createMemberBody.safeParse(input).data
  if (sent === undefined) return emptyMember
  const { metadata, company = "", phone = "", ...required } = sent
  return { ...required, company, phone, metadata: rowsOf(metadata) }
}
