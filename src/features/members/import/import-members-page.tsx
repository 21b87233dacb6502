import { Button } from "@mantine/core"
import { useCan, useSession } from "../../../api/session.ts"
import { BudgetLine } from "../../../forms/job-upload/budget-line.tsx"
import { FileFrame } from "../../../forms/job-upload/file-frame.tsx"
import frame from "../../../forms/job-upload/file-frame.module.css"
import { HandOverNote } from "../../../forms/job-upload/hand-over-note.tsx"
import { keptWords, leftOutWords } from "../../../forms/job-upload/import-words.ts"
import { RepeatsNote, useRepeats } from "../../../forms/job-upload/repeats.tsx"
import { SideFacts } from "../../../forms/job-upload/side-facts.tsx"
import { useStartImport } from "../../../forms/job-upload/use-start-import.ts"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { useImport } from "../../../import/session/use-import.ts"
import { LeftOutDownload } from "../../../import/ui/left-out-download.tsx"
import { cost, formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** Creates members from a file or a paste. */
export function ImportMembersPage() {
  const allowed = useCan("members.edit")
  if (allowed) return <ImportMembers />
  return (
    <>
      <PageHeader title="Import members" path={[{ label: "Members", to: "/members" }]} />
      <Notice tone="info" title="Importing members requires the Manager role">
        You can view members but not create them. Ask an administrator to change your role.
      </Notice>
    </>
  )
}

function ImportMembers() {
  const session = useImport({ recipe: "member-create", userId: useSession().user.id })
  return (
    <FileFrame
      session={session}
      title="Import members"
      intake="Drop a CSV file, or paste rows from a spreadsheet"
      help="It needs columns for e-mail, first name and last name. Company, phone and columns such as metadata.region are optional."
      rows="Members to create"
    >
      <ImportPanel session={session} />
    </FileFrame>
  )
}

function ImportPanel({ session }: { session: ImportSession }) {
  const { state } = session
  const { included } = state
  const repeats = useRepeats("member-create", session)
  const start = useStartImport(session, repeats)
  const ready = included > 0 && state.missing.length === 0 && !state.busy && repeats.checked
  // Each e-mail is looked up first, then the member is created (docs/decisions/0002-money.md).
  const requests = included * 2
  const begin = () => void start.start({ kind: "member-create", options: {} })
  return (
    <>
      <SideFacts
        title="What will be created"
        figures={[{ label: "Members", value: formatCount(included) }]}
        facts={[
          { label: "Kept after review", value: keptWords(state) },
          { label: "Excluded", value: leftOutWords(state) },
        ]}
      />
      <p className="text-secondary">
        {cost(requests)}. Each e-mail is checked first, so no one is added twice. The job runs on the server,
        so you can leave.
      </p>
      <RepeatsNote session={session} repeats={repeats} />
      <div className={frame.end}>
        <HandOverNote
          busy={start.busy}
          error={start.error}
          done={start.done}
          total={included}
          onRetry={begin}
        />
        <BudgetLine requests={requests} />
        <Button size="md" variant="filled" fullWidth loading={start.busy} disabled={!ready} onClick={begin}>
          Create {formatCount(included)} {included === 1 ? "member" : "members"}
        </Button>
        <LeftOutDownload session={session} />
      </div>
    </>
  )
}
