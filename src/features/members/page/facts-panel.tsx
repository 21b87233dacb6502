import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/session.ts"
import { longDay } from "../../../lib/time.ts"
import { CopyText } from "../../../ui/values.tsx"
import classes from "./facts-panel.module.css"
import { asText } from "./further-fields.ts"
import type { MemberAccess, MemberTab } from "./member-state.ts"

interface FactsPanelProps {
  member: Member
  access: MemberAccess
  tab: MemberTab
}

/** What is known of a member: contact, program, metadata. A click copies. */
export function FactsPanel({ member, access, tab }: FactsPanelProps) {
  return (
    <aside className={classes.facts} aria-label="Facts">
      {access.record && (
        <section className={classes.group}>
          <h2 className={classes.head}>Contact</h2>
          <dl className={classes.list}>
            <Fact label="E-mail" value={member.email} />
            {access.everything && <Fact label="Phone" value={member.phone} />}
            <Fact label="Company" value={member.company} />
          </dl>
        </section>
      )}
      <section className={classes.group}>
        <h2 className={classes.head}>Program</h2>
        <dl className={classes.list}>
          <Fact label="Member id" value={member.id} mono />
          {access.record && <Fact label="Tier" value={member.tier} />}
          {access.record && <Fact label="Joined" value={member.created_at && longDay(member.created_at)} />}
        </dl>
      </section>
      {access.everything && <MetadataFacts member={member} tab={tab} />}
    </aside>
  )
}

function MetadataFacts({ member, tab }: { member: Member; tab: MemberTab }) {
  const entries = Object.entries(member.metadata ?? {})
  const mayEdit = useCan("members.edit")
  return (
    <section className={classes.group} data-metadata>
      <h2 className={classes.head}>
        Metadata
        {mayEdit && (
          <Link
            className={classes.edit}
            from="/members/$memberId"
            to="/members/$memberId/edit"
            params={{ memberId: member.id }}
            search={(now) => ({ ...now, behind: tab === "ledger" ? undefined : tab })}
            resetScroll={false}
            aria-label="Edit metadata"
          >
            Edit
          </Link>
        )}
      </h2>
      {entries.length === 0 ? (
        <p className="text-muted">None</p>
      ) : (
        <dl className={classes.list}>
          {entries.map(([key, value]) => (
            <Fact
              key={key}
              label={key}
              value={asText(value)}
              mono={typeof value !== "string" || isCode(value)}
            />
          ))}
        </dl>
      )}
    </section>
  )
}

/** Codes and licences read better in mono; words do not. */
function isCode(value: string): boolean {
  return /\d/.test(value) && !/\s/.test(value)
}

function Fact({
  label,
  value,
  mono = false,
}: {
  label: string
  value: string | null | undefined
  mono?: boolean
}) {
  return (
    <div className={classes.fact}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        {value === null || value === undefined || value === "" ? (
          <span className="text-muted">None</span>
        ) : (
          <CopyText text={value} mono={mono} cut />
        )}
      </dd>
    </div>
  )
}
