import { newEmail } from "../../../../contract/email-address.ts"
import { SimpleGrid } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { forNames, memberDetailNames, memberDetails } from "../../../../contract/program/member-fields.ts"
import { requiredText } from "../../../../contract/program/common.ts"
import {
  createMemberBody,
  type CreateMemberBody,
  memberDetailText,
} from "../../../../contract/program/member.ts"
import { onMemberCreated, memberQuery } from "../../../api/members.ts"
import { TextField } from "../../../forms/fields.tsx"
import { JobDrawer, JobForm, useDraftKey, useJobForm } from "../../../forms/job-drawer.tsx"
import { JobOutcome, useJobOutcome } from "../../../forms/job-outcome.tsx"
import type { OneRow } from "../../../forms/one-row.ts"
import { MetadataField, metadataOf, metadataRows, rowsOf } from "../../../forms/metadata-editor.tsx"
import { markChanged } from "../../../lib/recent-records.ts"
import { fullName } from "../../../lib/names.ts"
import { Status } from "../../../ui/status.tsx"
import { CopyText } from "../../../ui/values.tsx"
import { MemberLink } from "../../../ui/record-link.tsx"
import { editValues } from "../edit/edit-model.ts"
import { LinkButton } from "../../../ui/button.tsx"

const route = getRouteApi("/_app/members/new")

/** Creates a member in a drawer over the list; the outcome replaces the form and has its own URL. */
export function CreateMember() {
  const navigate = useNavigate({ from: "/members/new" })
  const { made } = route.useSearch()
  const close = () =>
    void navigate({ to: "/members", search: ({ made: _made, ...now }) => now, resetScroll: false })
  const show = (jobId: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, made: jobId }), replace: true, resetScroll: false })
  return (
    <JobDrawer<CreateValues>
      kind="member-create"
      wide
      jobId={made}
      onClose={close}
      renderForm={(typed) => <CreateForm typed={typed} onSent={show} onClose={close} />}
      renderOutcome={(jobId, retype) => (
        <CreateOutcome
          jobId={jobId}
          onForm={(values) => {
            retype(values)
            show(undefined)
          }}
          onClose={close}
        />
      )}
    />
  )
}

const createValues = z.extend(z.omit(editValues, { status: true }), { email: z.string() })
type CreateValues = z.output<typeof createValues>

const empty = forNames(["email", "first_name", "last_name", ...memberDetailNames], () => "")

/** The form's schema (docs/api/program.md, Create member). */
const createSchema: z.ZodMiniType<CreateValues, CreateValues> = z.object({
  email: newEmail,
  first_name: requiredText("a first name"),
  last_name: requiredText("a last name"),
  ...forNames(memberDetailNames, memberDetailText),
  metadata: metadataRows,
})

/** The request body: empty fields are left out. */
function toCreateBody({ metadata, ...texts }: CreateValues): CreateMemberBody {
  const { email, first_name, last_name } = texts
  const details = memberDetailNames.filter((field) => texts[field] !== "")
  return {
    email,
    first_name,
    last_name,
    ...forNames(details, (field) => texts[field]),
    ...(metadata.length > 0 && { metadata: metadataOf(metadata) }),
  }
}

function CreateForm(props: {
  typed: CreateValues | undefined
  onSent: (jobId: string) => void
  onClose: () => void
}) {
  const { typed, onSent, onClose } = props
  const job = useJobForm<CreateValues, CreateValues>({
    kind: "member-create",
    draftKey: useDraftKey("member-create"),
    schema: () => createSchema,
    values: { ...empty, metadata: [] },
    typed,
    shape: createValues,
  })
  const { control } = job.form.methods
  const [first, last] = useWatch({ control, name: ["first_name", "last_name"] })
  const who = `${first.trim()} ${last.trim()}`.trim() || "the member"
  return (
    <JobForm
      job={job}
      wide
      onClose={onClose}
      body={(values) => ({ rows: [toCreateBody(values)] })}
      onSent={onSent}
      action={`Create ${who}`}
      running={`Creating ${who}`}
      preview={<p className="caption">Laurel checks the e-mail first, so no one is added twice.</p>}
      requests={2}
    >
      <TextField
        control={control}
        name="email"
        exact
        label="E-mail"
        type="email"
        first
        help="It can’t be changed later."
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={20}>
        <TextField control={control} name="first_name" label="First name" />
        <TextField control={control} name="last_name" label="Last name" />
      </SimpleGrid>
      {memberDetailNames.map((field) => {
        const { label, inputType, exact } = memberDetails[field]
        const props = { label, type: inputType, exact }
        return <TextField key={field} control={control} name={field} {...props} optional />
      })}
      <MetadataField
        control={control}
        name="metadata"
        label="Custom fields"
        optional
        help="Such as a dealer code."
      />
    </JobForm>
  )
}

/** The status of the creation. Once confirmed, the lists are refetched and highlight the row. */
function CreateOutcome(props: {
  jobId: string
  onForm: (values: CreateValues | undefined) => void
  onClose: () => void
}) {
  const { jobId, onForm, onClose } = props
  const queryClient = useQueryClient()
  const outcome = useJobOutcome(
    jobId,
    ({ row }) => createMemberBody.safeParse(row.input).data,
    (_, one) => {
      const id = memberOf(one)
      if (id === undefined) return
      markChanged(id)
      onMemberCreated(queryClient)
    },
  )
  const memberId = memberOf(outcome.one)
  const confirmed = outcome.one?.status === "confirmed"
  const { data } = useQuery({
    ...memberQuery(memberId ?? "none"),
    enabled: confirmed && memberId !== undefined,
  })
  return (
    <JobOutcome kind="member-create" wide outcome={outcome} onClose={onClose}>
      {(sent) => {
        const name = fullName(sent)
        return {
          doing: `Creating ${name}`,
          done: `${name} is a member now`,
          facts: [
            ["E-mail", sent.email],
            ["Status", confirmed && <Status of="member" value={data?.data.status} />],
            ["Member id", confirmed && memberId && <CopyText text={memberId} mono />],
            [
              "Member with this e-mail",
              !confirmed && memberId && <MemberLink id={memberId} text="Open that member" />,
            ],
          ],
          onCorrect: () => onForm(toFormValues(sent)),
          another: { label: "Create another", onClick: () => onForm(undefined) },
          next: memberId !== undefined && (
            <LinkButton
              size="md"
              variant="filled"
              data-autofocus
              to="/members/$memberId"
              params={{ memberId }}
            >
              Open {name}
            </LinkButton>
          ),
        }
      }}
    </JobOutcome>
  )
}

function toFormValues({ metadata, ...sent }: CreateMemberBody): CreateValues {
  const details = forNames(memberDetailNames, (field) => sent[field] ?? "")
  return { ...sent, ...details, metadata: rowsOf(metadata) }
}

function memberOf(one: OneRow | undefined): string | undefined {
  return one?.row.upstream_id ?? one?.row.member?.id ?? undefined
}
