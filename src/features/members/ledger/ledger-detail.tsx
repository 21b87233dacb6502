import { Stack } from "@mantine/core"
import { IconArrowBackUp } from "@tabler/icons-react"
import { useState } from "react"
import { isReversing } from "../../../../contract/job-kinds.ts"
import type { LedgerOrigin } from "../../../../contract/job-rows.ts"
import type { Transaction } from "../../../../contract/program/points.ts"
import { undocumentedFields } from "../../../../contract/reading.ts"
import { useReverseJob } from "../../../api/jobs.ts"
import { JobReason, useReason } from "../../../forms/job-reason.tsx"
import { formatPoints } from "../../../lib/format.ts"
import { newKey } from "../../../lib/new-key.ts"
import { exact } from "../../../lib/time.ts"
import { Allowed } from "../../../lists/require-permission.tsx"
import { Button, buttonIcon } from "../../../ui/button.tsx"
import { DescriptionList } from "../../../ui/data-table.tsx"
import { ErrorNotice } from "../../../ui/notice.tsx"
import { RowLink } from "../../../ui/record-link.tsx"
import { CopyText } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"
import { asText } from "../page/member-facts.tsx"
import { reversalWord } from "./reversal-word.ts"

/** The details of a ledger row, with the reversal of an award. */
export function LedgerDetail({ row, origin }: { row: Transaction; origin: LedgerOrigin | undefined }) {
  const { transaction_id, created_at, reason, reference, metadata } = row
  const further = [...Object.entries(metadata ?? {}), ...undocumentedFields(row, shown)]
  return (
    <div className={classes.rowFacts}>
      <DescriptionList
        items={[
          ["Transaction id", <CopyText text={transaction_id} mono />],
          origin !== undefined && [
            "Made by",
            <>
              {origin.created_by.name}, in <RowLink of={{ job: origin.job.id, row: origin.row }} />
            </>,
          ],
          origin?.reversed_by !== undefined && [
            reversalWord(origin) ?? "Followed by",
            <RowLink of={origin.reversed_by} />,
          ],
          origin?.reverses !== undefined && [
            isReversing(origin.job.kind) ? "Reverses" : "Follows",
            <RowLink of={origin.reverses} />,
          ],
          created_at != null && ["When", exact(created_at)],
          !!reason && ["Reason", reason],
          !!reference && ["Reference", <CopyText text={reference} mono />],
          ...further.map(([key, value]) => [key, asText(value)] as const),
        ]}
      />
      {origin?.can_reverse === true && (
        <ReverseEntry origin={origin} points={origin.reversible_points ?? row.points ?? undefined} />
      )}
    </div>
  )
}

const shown = [
  "transaction_id",
  "member_id",
  "type",
  "points",
  "reason",
  "reference",
  "balance_after",
  "new_balance",
  "metadata",
  "created_at",
]

/** Reverses one award with a separate deduction; only another user's job needs a reason. */
function ReverseEntry({ origin, points }: { origin: LedgerOrigin; points: number | undefined }) {
  const { access, ...reason } = useReason({ kind: origin.job.kind, created_by: origin.created_by })
  const reverse = useReverseJob(origin.job.id)
  // One key per entry: a double click is one reversal.
  const [key] = useState(newKey)
  const what = points === undefined ? "Reverse" : `Reverse ${formatPoints(points)} points`
  return (
    <Stack gap="sm" maw={480} align="flex-start">
      {access.write && access.needsReason && <JobReason {...reason.field} />}
      <ErrorNotice error={reverse.error} what="Nothing was reversed." />
      <Allowed allowed={access.write} why={access.why}>
        <Button
          leftSection={<IconArrowBackUp {...buttonIcon} />}
          loading={reverse.isPending}
          disabled={reason.missing || reverse.isSuccess}
          onClick={() => reverse.mutate({ key, rows: [origin.row], ...reason.body })}
        >
          {what}
        </Button>
      </Allowed>
    </Stack>
  )
}
