/** A row of a file: member id, points as written, reason. */
export type FileRow = readonly [memberId: string, points: string, reason: string]

/** A CSV file as the browser is given it. */
export interface AwardFile {
  readonly name: string
  readonly mimeType: "text/csv"
  readonly buffer: Buffer
}

/** A file of awards with the columns `member_id`, `name`, `pts` and `campaign`. */
export function awardFile(name: string, rows: readonly FileRow[]): AwardFile {
  const lines = rows.map(([memberId, points, reason], at) => `${memberId},Person ${at},${points},${reason}`)
  const text = ["member_id,name,pts,campaign", ...lines].join("\r\n")
  return { name, mimeType: "text/csv", buffer: Buffer.from(text) }
}

/** Usual amounts, so that one far from them stands out. */
const amounts = ["750", "900", "1100", "1250", "600"] as const

/** Ordinary rows, one for each member. */
export function plainRows(memberIds: readonly string[], reason: string): readonly FileRow[] {
  return memberIds.map((id, at) => [id, amounts[at % amounts.length] ?? "750", reason])
}

/** Points of rows whose amount can be read. */
export function sumOf(rows: readonly FileRow[]): number {
  return rows.reduce((sum, [, points]) => sum + Number(points), 0)
}
