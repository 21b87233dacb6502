import { type ComponentProps, Fragment, useState, type ReactNode } from "react"
import type { DefaultValues, FieldValues } from "react-hook-form"
import type * as z from "zod/mini"
import { jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import type { CreateJobBody } from "../../contract/job.ts"
import { roleNames, roleNeeded } from "../../contract/roles.ts"
import { useCan, useSession } from "../api/session.ts"
import { timeNeeded } from "../lib/format.ts"
import { ConfirmDialog } from "../ui/confirm-dialog.tsx"
import { Notice } from "../ui/notice.tsx"
import { SideDrawer } from "../ui/side-drawer.tsx"
import { type Followed, followJob } from "./followed-jobs.ts"
import { DrawerForm, useAppForm } from "./form.tsx"
import { needsSubmissionNote, SubmissionNote, useAmountRefusal, useSendJob } from "./job-submission.tsx"

/** A write in a drawer, replaced by its outcome; the URL decides which is shown. */
export function JobDrawer<I>(props: {
  kind: JobKind
  title?: string
  wide?: boolean
  jobId: string | undefined
  onClose: () => void
  renderForm: (typed: I | undefined) => ReactNode
  renderOutcome: (jobId: string, retype: (values: I | undefined) => void) => ReactNode
}) {
  const { kind, jobId, onClose } = props
  const { permission, reads, labels } = jobKindDescriptors[kind]
  const allowed = useCan(permission)
  const may = useCan(reads)
  const [typed, setTyped] = useState<I>()
  if (!allowed) {
    const role = roleNames[roleNeeded(permission)]
    return (
      <SideDrawer title={props.title ?? labels.title} wide={props.wide} onClose={onClose}>
        <Notice tone="info" title={`${labels.activity} requires the ${role} role`}>
          {may && labels.notAllowed} Ask an administrator to change your role.
        </Notice>
      </SideDrawer>
    )
  }
  return jobId === undefined ? (
    props.renderForm(typed)
  ) : (
    <Fragment key={jobId}>{props.renderOutcome(jobId, (values) => setTyped(() => values))}</Fragment>
  )
}

/** The key of a draft and of its submission, separate for each user. */
export function useDraftKey(subject: string): string {
  return `${useSession().user.id}:${subject}`
}

/** A form that is sent as a job: its fields, its draft and the state of sending it. */
export type JobFormState<I extends FieldValues, O> = ReturnType<typeof useJobForm<I, O>>

/** Creates the form of a `JobForm`, with a draft that survives a reload and one submission key per effect. */
export function useJobForm<I extends FieldValues, O>(options: {
  kind: JobKind
  /** From `useDraftKey`: identifies the form and the record. */
  draftKey: string
  /** Identifies the submission if the same draft is used for several records; defaults to the draft's key. */
  submission?: string
  /** From the fields to the body; `refusal` returns why amounts (points or cents) are above a limit. */
  schema: (refusal: ReturnType<typeof useAmountRefusal>) => z.ZodMiniType<O, I>
  values: I & DefaultValues<I>
  typed: I | undefined
  shape: z.ZodMiniType<I>
}) {
  const { kind, draftKey, submission = draftKey, schema, values, typed, shape } = options
  const send = useSendJob(submission)
  const refusal = useAmountRefusal(kind, send.error)
  const form = useAppForm<I, O>({
    schema: () => schema(refusal),
    values,
    typed,
    draft: { key: draftKey, shape },
  })
  return { kind, form, send, refusal }
}

/** A confirmation before a job is sent. */
interface JobQuestion {
  readonly title: string
  readonly action: string
  readonly keep: string
  readonly text: readonly string[]
}

/** A confirmation dialog: `ask` resolves to whether it was confirmed. */
function useQuestion() {
  const [asking, setAsking] = useState<JobQuestion & { readonly resolve: (agreed: boolean) => void }>()
  const end = (agreed: boolean) => {
    setAsking(undefined)
    asking?.resolve(agreed)
  }
  return {
    ask: (question: JobQuestion) => new Promise<boolean>((resolve) => setAsking({ ...question, resolve })),
    asking: asking !== undefined,
    dialog: asking && (
      <ConfirmDialog
        title={asking.title}
        action={asking.action}
        keep={asking.keep}
        tone="danger"
        onConfirm={() => end(true)}
        onClose={() => end(false)}
      >
        {asking.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </ConfirmDialog>
    ),
  }
}

/** The fields of a job in its drawer, with the effect and duration of sending it. */
export function JobForm<I extends FieldValues, O>(
  props: Pick<
    ComponentProps<typeof DrawerForm>,
    "wide" | "onClose" | "disabled" | "waiting" | "action" | "running" | "preview" | "children"
  > & {
    job: JobFormState<I, O>
    title?: string
    body: (entry: O) => Omit<CreateJobBody, "kind">
    /** Notification once it is confirmed; the drawer then closes. Without it the outcome is shown in the drawer. */
    followed?: ((entry: O) => Followed) | undefined
    onSent: (jobId: string) => void
    /** Confirmation before it is sent, if any. */
    question?: (entry: O) => JobQuestion | false
    requests: number
    /** Which part of the budget is used: `jobs` for several rows, which run in the background. */
    lane?: "people" | "jobs"
    /** Text below the button, before the duration. */
    note?: string
  },
) {
  const { job, title, body, followed, onSent, question, requests, lane, note, ...drawer } = props
  const { kind, form, send } = job
  const { api, labels } = jobKindDescriptors[kind]
  const { ask, asking, dialog } = useQuestion()
  const time = timeNeeded(requests, lane, api)
  return (
    <>
      <DrawerForm<I, O>
        {...drawer}
        // Escape reaches the drawer too while the confirmation is open.
        onClose={() => (asking ? undefined : drawer.onClose())}
        title={title ?? labels.title}
        form={form}
        onSubmit={async (entry) => {
          const confirmation = question?.(entry)
          if (confirmation && !(await ask(confirmation))) return
          const { id } = await send.mutateAsync({ kind, ...body(entry) })
          form.dropDraft()
          if (followed !== undefined) followJob(id, followed(entry))
          onSent(id)
        }}
        submitError={send.error}
        errorNote={
          needsSubmissionNote(send.error) && <SubmissionNote error={send.error} button={drawer.action} />
        }
        // Stays busy after success: the drawer closes next, and nothing can be submitted twice.
        busy={send.isPending || send.isSuccess}
        notDone={labels.notDone}
        note={`${time === "" ? "" : `Takes ${time}. `}${note ?? ""}`.trim()}
      />
      {dialog}
    </>
  )
}
