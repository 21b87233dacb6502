/** The fields a person is called by; any of them may be missing, hidden by role or null. */
export type Named = {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
  id?: string | null | undefined
}

/** First and last name; without either the e-mail, without that the id. */
export function fullName(member: Named): string {
  const name = [member.first_name, member.last_name]
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join(" ")
  return name || member.email || member.id || "No name"
}
