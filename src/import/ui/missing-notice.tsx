import { Button } from "@mantine/core"
import { Notice } from "../../ui/notice.tsx"
import type { ImportSession } from "../session/import-session.ts"

/** Says what every row needs and no column holds: until then nothing can be sent. */
export function MissingNotice({ session }: { session: ImportSession }) {
  const { missing, fields } = session.state
  const first = missing[0]
  const key = first?.fields[0]
  if (first === undefined || key === undefined) return null
  const constant = fields.some((field) => field.key === key && field.constant)
  return (
    <Notice
      tone="warning"
      title={`No column contains ${inSentence(missing.map(({ label }) => label))}`}
      action={
        <Button size="xs" onClick={() => void session.addColumn(key)}>
          Add an empty column
        </Button>
      }
    >
      Choose {missing.length === 1 ? "it" : "them"} above the columns
      {constant ? ", or give one value for all rows." : "."} Until then no row can be sent.
    </Notice>
  )
}

/** "points", "points and reason", "points, reason and reference". */
function inSentence(labels: readonly string[]): string {
  const [first = "", ...rest] = labels.map((label) => label.charAt(0).toLowerCase() + label.slice(1))
  const last = rest.pop()
  return last === undefined ? first : `${[first, ...rest].join(", ")} and ${last}`
}
