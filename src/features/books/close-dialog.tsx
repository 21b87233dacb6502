import { Checkbox } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type BookStatement, monthName } from "../../../contract/books.ts"
import { booksQuery, useCloseMonth } from "../../api/books.ts"
import { counted, formatCount, formatPoints } from "../../lib/format.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { notify } from "../../ui/notify.tsx"
import { isFirstClose, notReadOf } from "./book-words.ts"

/** Closes a month: says what is fixed, and asks to accept members that were not read. */
export function CloseDialog({ statement, onClose }: { statement: BookStatement; onClose: () => void }) {
  const { month, coverage, opening, closing, unexplained } = statement
  const notRead = notReadOf(statement)
  const [accepted, setAccepted] = useState<number>()
  const name = monthName(month)
  const close = useCloseMonth(month, () => {
    onClose()
    notify({ id: `close-${month}`, tone: "success", title: `${name} is closed` })
  })
  const members = counted(notRead, "member")
  const months = useQuery(booksQuery).data?.data
  return (
    <ConfirmDialog
      title={`Close ${name}`}
      action={`Close ${name}`}
      tone="plain"
      busy={close.isPending}
      // A refetch may change the number under an answer that was given for another one.
      ready={notRead === 0 || accepted === notRead}
      error={close.error}
      what="Nothing was closed."
      onConfirm={() => close.mutate(notRead)}
      onClose={onClose}
    >
      <DescriptionList
        layout="inline"
        items={[
          ["Opening balance", formatPoints(opening)],
          ["Closing balance", formatPoints(closing)],
          ["Members read", `${formatCount(coverage.read)} of ${formatCount(coverage.members)}`],
          ["Unexplained", counted(unexplained.entries, "difference")],
        ]}
      />
      <p>
        The figures, the members read and the differences stay as they are now. A closed month never changes:
        entries dated into it that turn up later are shown with the next month.
      </p>
      {months !== undefined && isFirstClose(months) && (
        <p>The books begin with {name}: earlier months are shown, and can’t be closed any more.</p>
      )}
      {notRead > 0 && (
        <Checkbox
          label={`Close without ${members}`}
          description={`Their ledgers weren’t read since the month ended, so their points are in no figure and count as late in the next month. They are usually read within a night.`}
          checked={accepted === notRead}
          onChange={({ currentTarget }) => setAccepted(currentTarget.checked ? notRead : undefined)}
        />
      )}
    </ConfirmDialog>
  )
}
