/** A row of a file: member id, points as text, reason. */
export type FileRow = readonly [memberId: string, points: string, reason: string]

/** A CSV file for a file chooser. */
export interface AwardFile {
  readonly name: string
  readonly mimeType: "text/csv"
  readonly buffer: Buffer
}

/** An award file with the columns `member_id`, `name`, `pts` and `campaign`. */
export function awardFile(name: string, rows: readonly FileRow[]): AwardFile {
  const lines = rows.map(([memberId, points, reason], at) => `${memberId},Person ${at},${points},${reason}`)
  const text = ["member_id,name,pts,campaign", ...lines].join("\r\n")
  return { name, mimeType: "text/csv", buffer: Buffer.from(text) }
}

/** Similar amounts, so that an outlier is detected. */
const amounts = ["750", "900", "1100", "1250", "600"] as const

/** Valid rows, one per member. */
export function plainRows(memberIds: readonly string[], reason: string): readonly FileRow[] {
  return memberIds.map((id, at) => [id, amounts[at % amounts.length] ?? "750", reason])
}

/** Sum of the rows' points. */
export function sumOf(rows: readonly FileRow[]): number {
  return rows.reduce((sum, [, points]) => sum + Number(points), 0)
}
