import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { memberToEditQuery } from "../../../api/member-fresh.ts"
import type { SavedMember } from "../../../api/member-writes.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { readDraft } from "../../../lib/draft-store.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { useCloseDialog } from "../page/use-close-dialog.ts"
import { useMemberId } from "../page/use-member-page.ts"
import { ConflictDrawer } from "./conflict-drawer.tsx"
import { EditForm } from "./edit-form.tsx"
import { editValues, valuesOf, type EditValues } from "./edit-model.ts"
import { EditOutcome } from "./edit-outcome.tsx"
import { clashesOf } from "./three-way.ts"

/** Edits a member in a drawer. It begins with a fresh read, so that nobody edits an old copy. */
export function EditMember() {
  const memberId = useMemberId()
  const close = useCloseDialog()
  const mayEdit = useCan("members.edit")
  const opening = useQuery({ ...memberToEditQuery(memberId), enabled: mayEdit })
  if (opening.data !== undefined) return <EditSteps opened={opening.data.data} onClose={close} />
  return (
    <SideDrawer title="Edit member" wide onClose={close}>
      {!mayEdit && (
        <Notice tone="info" title="Editing requires the Manager role">
          You can view this member but not change it.
        </Notice>
      )}
      {mayEdit && opening.error === null && <SkeletonRows rows={5} columns={[240]} />}
      {opening.error !== null && (
        <ErrorNotice
          error={opening.error}
          what="Couldn’t load the member, so it can’t be edited yet."
          onRetry={() => void opening.refetch()}
        />
      )}
    </SideDrawer>
  )
}

/** The form of one copy of the member, what both changed, or the outcome. */
type Step =
  | { readonly is: "form"; readonly copy: Member; readonly typed: EditValues | undefined }
  | { readonly is: "conflict"; readonly before: EditValues; readonly now: Member; readonly yours: EditValues }
  | { readonly is: "saved"; readonly before: Member; readonly saved: SavedMember }

function EditSteps({ opened, onClose }: { opened: Member; onClose: () => void }) {
  const draftKey = `${useSession().user.id}:member-edit:${opened.id}`
  const [step, setStep] = useState<Step>(() => firstStep(opened, draftKey))
  if (step.is === "saved") {
    return (
      <EditOutcome
        before={step.before}
        saved={step.saved}
        onAgain={() => setStep({ is: "form", copy: step.saved.member, typed: undefined })}
        onClose={onClose}
      />
    )
  }
  if (step.is === "conflict") {
    return (
      <ConflictDrawer
        before={step.before}
        now={step.now}
        yours={step.yours}
        onDecided={(typed) => setStep({ is: "form", copy: step.now, typed })}
        onClose={onClose}
      />
    )
  }
  return (
    <EditForm
      key={step.copy.updated_at}
      member={step.copy}
      typed={step.typed}
      draftKey={draftKey}
      onConflict={(now, yours) => setStep({ is: "conflict", before: valuesOf(step.copy), now, yours })}
      onSaved={(saved) => setStep({ is: "saved", before: step.copy, saved })}
      onClose={onClose}
    />
  )
}

/** A draft whose fields somebody else changed since begins with that decision, everything else with the form. */
function firstStep(opened: Member, draftKey: string): Step {
  const draft = readDraft(draftKey, editValues)
  if (draft !== null) {
    const ways = { before: draft.base, theirs: valuesOf(opened), yours: draft.values }
    if (clashesOf(ways).length > 0)
      return { is: "conflict", before: draft.base, now: opened, yours: draft.values }
  }
  return { is: "form", copy: opened, typed: undefined }
}
