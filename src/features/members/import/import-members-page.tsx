import { memberDetailNames } from "../../../../contract/program/member-fields.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { ImportDenied, ImportPage } from "../../../import/import-page.tsx"
import { ImportPanel, reviewFacts } from "../../../import/import-panel.tsx"
import { useImport } from "../../../import/import-session.ts"
import { fieldList } from "../page/member-state.ts"
import { capital, counted, formatCount, timeNeeded, timeSentence } from "../../../lib/format.ts"

const page = { title: "Import members", path: [{ label: "Members", to: "/members" }] } as const

/** Creates members from a file or pasted rows. */
export function ImportMembersPage() {
  if (useCan("members.edit")) return <ImportMembers />
  return (
    <ImportDenied kind="member-create" {...page} requires="Importing members requires the Manager role" />
  )
}

function ImportMembers() {
  const session = useImport("member-create", useSession().user.id)
  const { included } = session.state
  // Each e-mail is looked up first, then the member is created (docs/jobs.md).
  const requests = included * 2
  return (
    <ImportPage
      {...page}
      session={session}
      help={`It needs columns for e-mail, first name and last name. ${capital(fieldList(memberDetailNames))} (columns such as metadata.region) are optional.`}
      rows="Members to create"
    >
      <ImportPanel
        session={session}
        job={{ kind: "member-create", options: {} }}
        title="What will be created"
        figures={[{ label: "Members", value: formatCount(included) }]}
        facts={reviewFacts(session.state)}
        action={`Create ${counted(included, "member")}`}
      >
        <p className="text-secondary">
          {timeSentence(timeNeeded(requests, "jobs"))}Each e-mail is checked first, so no one is added twice.
          The job runs on the server, so you can leave.
        </p>
      </ImportPanel>
    </ImportPage>
  )
}
