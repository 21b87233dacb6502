import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { balanceQuery } from "../../../api/points.ts"
import { useCan } from "../../../api/session.ts"
import type { MemberAccess, MemberTab } from "./member-state.ts"
import { formatPoints } from "../../../lib/format.ts"
import { longDay } from "../../../lib/time.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Figures } from "../../../ui/page-header.tsx"
import { AsOf } from "../../../ui/query-state.tsx"
import { CopyText } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"

interface FactsPanelProps {
  member: Member
  access: MemberAccess
  tab: MemberTab
}

/** What is known of a member: contact, program, metadata. A click copies. */
export function FactsPanel({ member, access, tab }: FactsPanelProps) {
  return (
    <aside className={classes.factsPanelFacts} aria-label="Facts">
      {access.record && (
        <section className={classes.group}>
          <h2 className={classes.factsPanelHead}>Contact</h2>
          <dl className={classes.factsPanelList}>
            <Fact label="E-mail" value={member.email} />
            {access.everything && <Fact label="Phone" value={member.phone} />}
            <Fact label="Company" value={member.company} />
          </dl>
        </section>
      )}
      <section className={classes.group}>
        <h2 className={classes.factsPanelHead}>Program</h2>
        <dl className={classes.factsPanelList}>
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
      <h2 className={classes.factsPanelHead}>
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
        <dl className={classes.factsPanelList}>
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
    <div className={classes.factsPanelFact}>
      <dt className={classes.factsPanelLabel}>{label}</dt>
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

/** What a record carries beside its documented fields, as it came; a missing or empty record has nothing. */
export function furtherFields(record: object, documented: readonly string[]): [string, unknown][] {
  return Object.entries(record).filter(([field]) => !documented.includes(field))
}

/** Any value in one line of text: words as they are, everything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

/** The member's points. Their own error stays here: the rest of the page works without them. */
export function MemberFigures({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient()
  const { data: answer, error, isFetching } = useQuery(balanceQuery(memberId))
  const readAgain = () => {
    void queryClient.fetchQuery({ ...balanceQuery(memberId, { fresh: true }), staleTime: 0 }).catch(() => {
      // The query keeps the error, and it is shown below.
    })
  }
  if (error !== null && answer === undefined) {
    return (
      <div className={classes.memberFiguresNote}>
        <ErrorNotice error={error} what="Couldn’t load the balance." onRetry={readAgain} />
      </div>
    )
  }
  const balance = answer?.data
  const figure = (label: string, points: number | null | undefined) => ({
    label,
    value: balance === undefined ? <Bar /> : <Value points={points} />,
  })
  return (
    <>
      {error !== null && (
        <div className={classes.memberFiguresNote}>
          <ErrorNotice
            error={error}
            what="Couldn’t refresh the balance. Showing the last loaded version."
            onRetry={readAgain}
          />
        </div>
      )}
      <Figures
        items={[
          figure("Available", balance?.balance),
          figure("Pending approval", balance?.pending),
          figure("Lifetime earned", balance?.lifetime_earned),
          figure("Lifetime redeemed", balance?.lifetime_redeemed),
        ]}
        end={<AsOf at={answer?.at} refreshing={isFetching} onRefresh={readAgain} />}
      />
    </>
  )
}

function Value({ points }: { points: number | null | undefined }) {
  if (points === null || points === undefined) return <span className={classes.none}>Not given</span>
  return formatPoints(points)
}

/** Where a figure will be. */
function Bar() {
  return <span className={classes.bar} />
}
