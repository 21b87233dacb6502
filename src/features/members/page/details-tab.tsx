import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { exact } from "../../../lib/time.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { CopyText, Points } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import classes from "../member-page.module.css"
import { asText, furtherFields } from "./facts-panel.tsx"
import { memberRecordQuery, useMemberAccess, useRereadMember } from "./member-state.ts"

const documented = [
  "id",
  "email",
  "first_name",
  "last_name",
  "company",
  "phone",
  "points_balance",
  "tier",
  "status",
  "metadata",
  "created_at",
  "updated_at",
]

/** Every field of the record as the service has it, those it does not document too. */
export function DetailsTab({ memberId }: { memberId: string }) {
  const { data: answer, isFetching } = useQuery(memberRecordQuery(memberId))
  const access = useMemberAccess()
  const readAgain = useRereadMember(memberId)
  if (answer === undefined) return null
  const member = answer.data
  const further = furtherFields(member, documented)
  return (
    <div className={classes.details}>
      <section>
        <div className={classes.detailsTabHead}>
          <h2>Record</h2>
          <AsOf at={answer.at} refreshing={isFetching} onRefresh={readAgain} />
        </div>
        <dl className={classes.list}>{recordFields(member, access.everything)}</dl>
        {!access.everything && (
          <p className={classes.detailsTabHelp}>Phone and metadata are not available to your role.</p>
        )}
      </section>
      {further.length > 0 && (
        <section>
          <h2 className={classes.detailsTabHead}>Other fields</h2>
          <p className={classes.detailsTabHelp}>
            The service sent these undocumented fields. They’re shown as sent.
          </p>
          <dl className={classes.list}>
            {further.map(([field, value]) => (
              <Field key={field} label={field} mono>
                <CopyText text={asText(value)} mono />
              </Field>
            ))}
          </dl>
        </section>
      )}
      {access.everything && <MetadataSection metadata={member.metadata} />}
    </div>
  )
}

function recordFields(member: Member, everything: boolean): ReactNode {
  return (
    <>
      <Field label="First name">{text(member.first_name)}</Field>
      <Field label="Last name">{text(member.last_name)}</Field>
      <Field label="E-mail">{text(member.email)}</Field>
      <Field label="Company">{text(member.company)}</Field>
      {everything && <Field label="Phone">{text(member.phone)}</Field>}
      <Field label="Status">
        <Status of="member" value={member.status} />
      </Field>
      <Field label="Tier">{text(member.tier)}</Field>
      <Field label="Points on the record">
        <Points value={member.points_balance} />
      </Field>
      <Field label="Member id">
        <CopyText text={member.id} mono />
      </Field>
      <Field label="Created">{time(member.created_at)}</Field>
      <Field label="Updated">{time(member.updated_at)}</Field>
    </>
  )
}

function MetadataSection({ metadata }: { metadata: Member["metadata"] }) {
  const entries = Object.entries(metadata ?? {})
  return (
    <section>
      <h2 className={classes.detailsTabHead}>Metadata</h2>
      {entries.length === 0 ? (
        <p className={classes.detailsTabHelp}>None</p>
      ) : (
        <dl className={classes.list}>
          {entries.map(([key, value]) => (
            <Field key={key} label={key} mono>
              {typeof value === "object" && value !== null ? (
                <pre className={classes.json}>{JSON.stringify(value, null, 2)}</pre>
              ) : (
                <CopyText text={asText(value)} mono={typeof value !== "string"} />
              )}
            </Field>
          ))}
        </dl>
      )}
    </section>
  )
}

function Field({ label, mono = false, children }: { label: string; mono?: boolean; children: ReactNode }) {
  return (
    <div className={classes.field}>
      <dt className={classes.detailsTabLabel} data-mono={mono || undefined}>
        {label}
      </dt>
      <dd className={classes.detailsTabValue}>{children}</dd>
    </div>
  )
}

function text(value: string | null | undefined): ReactNode {
  return value === null || value === undefined || value === "" ? (
    <span className="text-muted">None</span>
  ) : (
    <CopyText text={value} />
  )
}

function time(at: string | null | undefined): ReactNode {
  return at === null || at === undefined ? (
    <span className="text-muted">None</span>
  ) : (
    <CopyText text={exact(at)} />
  )
}
