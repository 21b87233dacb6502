import { Group } from "@mantine/core"
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo, useRef, useState } from "react"
import * as z from "zod/mini"
import { isSameEmail } from "../../../../contract/email-address.ts"
import { resolveRequests } from "../../../../contract/estimates.ts"
import {
  memberFieldValue,
  memberUpdate,
  memberUpdateFields,
  type MemberUpdateField,
  type MemberUpdateRow,
} from "../../../../contract/kinds/member-update.ts"
import { limits } from "../../../../contract/limits.ts"
import { forNames, memberFields } from "../../../../contract/program/member-fields.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { memberQuery, membersQuery } from "../../../api/members.ts"
import { fetchAwaited } from "../../../api/request.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { FileChanges, FileViewSwitch } from "../../../import/file-changes.tsx"
import { ImportDenied, ImportPage } from "../../../import/import-page.tsx"
import { ImportPanel, reviewFacts } from "../../../import/import-panel.tsx"
import { type ImportSession, useImport } from "../../../import/import-session.ts"
import { otherMemberText } from "../../../import/read-member.ts"
import type { Mark } from "../../../import/sheet-view.ts"
import { ApiError } from "../../../lib/errors.ts"
import { counted, formatCount, timeNeeded, timeSentence } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { newKey } from "../../../lib/new-key.ts"
import { Button } from "../../../ui/button.tsx"
import type { DataColumn } from "../../../ui/data-table.tsx"
import { ErrorNotice } from "../../../ui/notice.tsx"
import { MemberLink } from "../../../ui/record-link.tsx"
import { Status } from "../../../ui/status.tsx"

const route = getRouteApi("/_app/members_/change")
const page = { title: "Change members", path: [{ label: "Members", to: "/members" }] } as const
const { clearWord } = memberUpdate

/** Changes members from a file or pasted rows. */
export function ChangeMembersPage() {
  if (useCan("members.edit")) return <ChangeMembers />
  return <ImportDenied kind="member-update" {...page} requires="Changing members requires the Manager role" />
}

function ChangeMembers() {
  const session = useImport("member-update", useSession().user.id)
  const plan = useChangePlan(session)
  return (
    <ImportPage
      {...page}
      session={session}
      help={`It needs a column of member ids or e-mails, and columns to change. An empty cell leaves a field as it is; ${clearWord} clears it.`}
      rows="Members to change"
      above={<ViewSwitch plan={plan} />}
      instead={route.useSearch().view === "changes" && <ChangesTable plan={plan} />}
    >
      <ChangePanel session={session} plan={plan} />
    </ImportPage>
  )
}

type MemberValues = Readonly<Record<MemberUpdateField, string>>

/** A member as first read for this file, and as last read. */
interface ReadMember {
  readonly before: Member
  readonly now: Member
}

/** What was found for a member id or e-mail of the file. */
type Found = ReadMember | "missing" | "several"

const acceptedRow = z.object({
  member_id: z.optional(z.string()),
  email: z.optional(z.string()),
  ...forNames(memberUpdateFields, () => z.optional(z.string())),
})
type FileRow = z.output<typeof acceptedRow> & {
  readonly number: number
  /** The e-mail of a row with an id. */
  readonly besides: string | undefined
}

type ChangePlan = ReturnType<typeof useChangePlan>
type PlannedRow = ReturnType<typeof planRow>

/** Reads the members of the file's rows, marks rows that cannot be sent as they are, and plans the others. */
function useChangePlan({ state, read, change }: ImportSession) {
  const client = useQueryClient()
  const [own] = useState(newKey)
  const file = useRef({ key: "", found: new Map<string, Found>(), applied: new Set<string>() })
  const again = useRef(false)
  const [done, setDone] = useState(0)
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: ["members-to-change", own, state.key, state.contents],
    queryFn: async ({ signal }) => {
      if (file.current.key !== state.key)
        file.current = { key: state.key, found: new Map(), applied: new Set() }
      const { found, applied } = file.current
      const accepted = await read((sheet) => sheet.accepted(0, limits.jobRows))
      const rows = accepted.map(({ number, row, besides }): FileRow => ({
        number,
        besides,
        ...acceptedRow.parse(row),
      }))
      const keys = [...new Set(rows.map(keyOf))].filter((key) => again.current || !found.has(key))
      await readMembers(client, keys, found, { signal, fresh: again.current, onProgress: setDone })
      again.current = false
      const fresh = marksOf(rows, found).filter((mark) => !applied.has(JSON.stringify(mark)))
      for (const mark of fresh) applied.add(JSON.stringify(mark))
      if (fresh.length > 0) await change((sheet) => sheet.mark(fresh))
      return rows.flatMap((row) => {
        const member = found.get(keyOf(row))
        return typeof member === "object" ? [planRow(row, member)] : []
      })
    },
    enabled: state.phase === "ready" && !state.busy,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const rows = (state.phase === "ready" && data) || noRows
  return {
    rows,
    changed: useMemo(() => rows.filter(({ fields }) => fields.length > 0), [rows]),
    reading: isFetching,
    done,
    error,
    ready: data !== undefined && !isPlaceholderData && !isFetching && error === null && !state.busy,
    readAgain: () => {
      again.current = true
      void refetch()
    },
    retry: () => void refetch(),
  }
}

const noRows: readonly PlannedRow[] = []
const keyOf = ({ member_id: id, email = "" }: Pick<FileRow, "member_id" | "email">) =>
  id ?? email.toLowerCase()

function valuesOf(member: Member): MemberValues {
  return forNames(memberUpdateFields, (field) => memberFieldValue(member, field) ?? "")
}

/** `fields`: those that the row changes, as the member was last read. */
function planRow(row: FileRow, member: ReadMember) {
  const now = valuesOf(member.now)
  const fields = memberUpdateFields.filter((field) => row[field] !== undefined && row[field] !== now[field])
  return { row, member: member.now, before: valuesOf(member.before), now, fields }
}

/** The job's row: only what changes, and what it is compared with. */
function jobRow({ row, now, fields }: PlannedRow): MemberUpdateRow {
  const { member_id, email } = row
  const pick = (values: FileRow | MemberValues) =>
    Object.fromEntries(fields.map((field) => [field, values[field]]))
  return { ...(member_id === undefined ? { email } : { member_id }), ...pick(row), expected: pick(now) }
}

function marksOf(rows: readonly FileRow[], found: ReadonlyMap<string, Found>): Mark[] {
  const first = new Map<string, number>()
  return rows.flatMap((row): Mark[] => {
    const { number } = row
    const member = found.get(keyOf(row))
    const field = row.member_id === undefined ? "email" : "member_id"
    const problem = (text: string): Mark[] => [{ number, field, severity: "problem", text }]
    if (member === undefined) return []
    if (member === "missing") return problem(`No member has this ${field === "email" ? "e-mail" : "id"}`)
    if (member === "several") return problem("Several members have this e-mail: use the member id")
    if (row.besides !== undefined && !isSameEmail(row.besides, member.now.email)) {
      const text = otherMemberText(fullName(member.now), row.besides)
      return [{ number, field: "email", severity: "problem", text }]
    }
    const earlier = first.get(member.now.id)
    if (earlier !== undefined) return problem(`Same member as row ${formatCount(earlier)}`)
    first.set(member.now.id, number)
    const { before, now, fields } = planRow(row, member)
    return fields
      .filter((name) => before[name] !== now[name])
      .map((name) => {
        const text = `Changed to “${now[name]}” since the file was opened: keep it to replace that`
        return { number, field: name, severity: "check", text }
      })
  })
}

/** More members than this are read from the whole list if its pages are fewer requests. */
const fewMembers = 20
const atOnce = 4

/** Reads members by id or e-mail into `found`, in few requests. Throws what `request` throws. */
async function readMembers(
  client: QueryClient,
  keys: readonly string[],
  found: Map<string, Found>,
  how: { signal: AbortSignal; fresh: boolean; onProgress: (done: number) => void },
): Promise<void> {
  const { signal, fresh, onProgress } = how
  const open = new Set(keys)
  const take = (key: string, members: readonly Member[]) => {
    const [now, ...others] = members
    const earlier = found.get(key)
    const before = typeof earlier === "object" ? earlier.before : now
    if (now === undefined || before === undefined) found.set(key, "missing")
    else found.set(key, others.length > 0 ? "several" : { before, now })
    open.delete(key)
    onProgress(keys.length - open.size)
  }
  const readPage = (at: number) =>
    fetchAwaited(client, {
      ...membersQuery({ page: at, per_page: limits.perPage.max }, { fresh, update: false }),
      ...(fresh && { staleTime: 0 }),
    })

  onProgress(0)
  if (open.size > fewMembers) {
    const listed = new Map<string, Member>()
    for (let at = 1, pages = 1; at <= pages; at += 1) {
      const { data, meta } = await readPage(at)
      signal.throwIfAborted()
      pages = Math.ceil((meta?.total ?? 0) / limits.perPage.max)
      if (pages > open.size) break
      for (const member of data) listed.set(member.id, member)
    }
    const byEmail = Map.groupBy(listed.values(), ({ email }) => email?.trim().toLowerCase())
    for (const key of open) {
      const member = listed.get(key)
      const members = member === undefined ? byEmail.get(key) : [member]
      // The list may have moved while it was read: members missing in it are looked up.
      if (members !== undefined) take(key, members)
    }
  }
  const left = [...open]
  const next = async () => {
    for (let key = left.shift(); key !== undefined; key = left.shift()) {
      take(key, await readOne(client, key, fresh))
      signal.throwIfAborted()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

async function readOne(client: QueryClient, key: string, fresh: boolean): Promise<readonly Member[]> {
  const staleTime = fresh ? { staleTime: 0 } : {}
  if (key.includes("@")) {
    const query = membersQuery({ search: key, per_page: limits.perPage.max }, { fresh, update: false })
    const { data } = await fetchAwaited(client, { ...query, ...staleTime })
    return data.filter(({ email }) => isSameEmail(key, email))
  }
  try {
    const query = memberQuery(key, { fresh, update: false })
    return [(await fetchAwaited(client, { ...query, ...staleTime })).data]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

function ViewSwitch({ plan: { reading, done, changed } }: { plan: ChangePlan }) {
  const navigate = route.useNavigate()
  return (
    <FileViewSwitch
      view={route.useSearch().view}
      onChange={(view) => void navigate({ search: { view }, replace: true })}
    >
      {reading
        ? `Comparing with the members: ${formatCount(done)}`
        : `${counted(changed.length, "member")} to change`}
    </FileViewSwitch>
  )
}

function ChangePanel({ session, plan }: { session: ImportSession; plan: ChangePlan }) {
  const { state } = session
  const { rows, changed } = plan
  const byNumber = useMemo(() => new Map(rows.map((each) => [each.row.number, each])), [rows])
  const same = rows.length - changed.length
  const byEmail = changed.filter(({ row }) => row.email !== undefined && row.member_id === undefined).length
  const requests = changed.length * 2 + resolveRequests(byEmail, undefined)
  return (
    <ImportPanel
      session={session}
      job={{
        kind: "member-update",
        options: { title: `Changes from ${state.name}`.slice(0, limits.jobTitle) },
        // Exactly the previewed values are sent.
        change: (read, line) => {
          const planned = byNumber.get(line)
          return planned === undefined ? read : jobRow(planned)
        },
        skipReason: (line) =>
          byNumber.get(line)?.fields.length === 0 ? "The member already has these values" : undefined,
      }}
      title="What will change"
      figures={[
        { label: "Members", value: formatCount(changed.length) },
        ...(same > 0 ? [{ label: "Nothing to change", value: formatCount(same) }] : []),
      ]}
      facts={[...fieldFacts(changed), ...reviewFacts(state)]}
      action={actionOf(changed)}
      ready={plan.ready && changed.length > 0}
      compared={false}
    >
      <ErrorNotice error={plan.error} what="Some members weren’t compared." onRetry={plan.retry} />
      <StatusForAll session={session} />
      <p className="text-secondary">
        {timeSentence(timeNeeded(requests, "jobs"))}Each member is read right before the change; a field that
        someone changed in the meantime waits for a decision and is never overwritten. The job runs on the
        server, so you can leave, and it can be undone.
      </p>
      <Group>
        <Button size="xs" disabled={!plan.ready} onClick={plan.readAgain}>
          Compare again
        </Button>
      </Group>
    </ImportPanel>
  )
}

function fieldFacts(changed: readonly PlannedRow[]) {
  return memberUpdateFields.map((field) => {
    const count = changed.filter(({ fields }) => fields.includes(field)).length
    return [memberFields[field].label, count === 0 ? "" : formatCount(count)] as const
  })
}

function actionOf(changed: readonly PlannedRow[]): string {
  const members = counted(changed.length, "member")
  const [status, ...others] = new Set(
    changed.flatMap(({ row, fields }) => fields.map((field) => (field === "status" ? row.status : field))),
  )
  const isAlone = others.length === 0
  if (isAlone && status === "inactive") return `Deactivate ${members}`
  return isAlone && status === "active" ? `Reactivate ${members}` : `Change ${members}`
}

/** A list of members without a status column: one status for all of them. */
function StatusForAll({ session: { state, change } }: { session: ImportSession }) {
  const hasStatus = state.columns.some(({ field }) => field === "status") || "status" in state.constants
  if (hasStatus) return null
  const set = (status: string) => () => void change((sheet) => sheet.fill("status", status))
  return (
    <fieldset aria-label="Status for all rows">
      <Group gap={8}>
        <Button size="xs" onClick={set("inactive")}>
          Deactivate all rows
        </Button>
        <Button size="xs" onClick={set("active")}>
          Reactivate all rows
        </Button>
      </Group>
    </fieldset>
  )
}

type FieldChange = PlannedRow & { readonly field: MemberUpdateField }

const columns: readonly DataColumn<FieldChange>[] = [
  {
    label: "Member",
    rowHeader: true,
    cell: ({ member, field }) => (
      <>
        <MemberLink id={member.id} text={fullName(member)} />
        <div className="caption">{memberFields[field].label}</div>
      </>
    ),
  },
  { label: "Before", hideBelow: "phone", cell: ({ field, before }) => valueText(field, before[field], true) },
  {
    label: "Now",
    cell: ({ field, before, now }) => valueText(field, now[field], before[field] === now[field]),
  },
  { label: "After", cell: ({ field, row }) => valueText(field, row[field] ?? "") },
]

function valueText(field: MemberUpdateField, value: string, quiet = false) {
  if (value === "") return <span className="text-muted">Empty</span>
  if (field === "status") return <Status of="member" value={value} />
  return <span className={`wrap-anywhere ${quiet ? "text-muted" : ""}`}>{value}</span>
}

/** Each field that changes: as the member was when the file was opened, as last read, and as the file has it. */
function ChangesTable({ plan: { changed } }: { plan: ChangePlan }) {
  return (
    <FileChanges
      rows={changed.flatMap((row) => row.fields.map((field): FieldChange => ({ ...row, field })))}
      columns={columns}
      keyOf={({ row, field }) => `${row.number} ${field}`}
      none={{
        title: "No members would change",
        help: "Rows with problems, and members who already have the values, aren’t sent.",
      }}
      scrollId="member-changes"
    />
  )
}
