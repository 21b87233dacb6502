import { Box } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { memo } from "react"
import { isUpdating } from "../../../../contract/response.ts"
import { memberDetailNames, memberDetails } from "../../../../contract/program/member-fields.ts"
import { sees } from "../../../../contract/redaction.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { balanceQuery } from "../../../api/points.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { dialogAddress, useMemberAccess, useMemberTab } from "./member-state.ts"
import { formatPoints } from "../../../lib/format.ts"
import { longDay } from "../../../lib/time.ts"
import { DescriptionList } from "../../../ui/data-table.tsx"
import { Figures } from "../../../ui/page-header.tsx"
import { AsOf, QueryNotices, queryView, type StaleResponse } from "../../../ui/query-state.tsx"
import { RecordFacts } from "../../../ui/record-page.tsx"
import { CopyText } from "../../../ui/values.tsx"

/** A member's fields: contact, program, metadata. A click copies. */
export const MemberFacts = memo(function MemberFacts({ member }: { member: Member }) {
  const access = useMemberAccess()
  const mayEdit = useCan("members.edit")
  const metadata = Object.entries(member.metadata ?? {})
  const { role } = useSession().user
  const { email, id, tier, created_at } = member
  return (
    <>
      {access.record && (
        <RecordFacts title="Contact">
          <DescriptionList
            missing="None"
            items={[
              ["E-mail", copied(email)],
              ...memberDetailNames.map(
                (name) =>
                  sees("member", role, name) &&
                  ([
                    memberDetails[name].label,
                    name === "company" ? companyLink(member.company) : copied(member[name]),
                  ] as const),
              ),
            ]}
          />
        </RecordFacts>
      )}
      <RecordFacts title="Program">
        <DescriptionList
          missing="None"
          items={[
            ["Member id", copied(id, true)],
            access.record && ["Tier", copied(tier)],
            access.record && ["Joined", copied(created_at && longDay(created_at))],
          ]}
        />
      </RecordFacts>
      {access.everything && (
        <RecordFacts title="Custom fields" minor end={mayEdit && <EditMetadata memberId={id} />}>
          {metadata.length === 0 ? (
            <p className="text-muted">None</p>
          ) : (
            <DescriptionList
              missing="None"
              items={metadata.map(([key, value]) => [
                key,
                copied(asText(value), typeof value !== "string" || isCode(value)),
              ])}
            />
          )}
        </RecordFacts>
      )}
    </>
  )
})

function EditMetadata({ memberId }: { memberId: string }) {
  const address = dialogAddress("edit", memberId, useMemberTab())
  return (
    <Link className="l-link l-meta" {...address} aria-label="Edit custom fields">
      Edit
    </Link>
  )
}

function copied(value: string | null | undefined, mono = false) {
  return value && <CopyText text={value} mono={mono} cut />
}

function companyLink(name: string | null | undefined) {
  return (
    name && (
      <Link to="/companies/$name" params={{ name }} className="l-link wrap-anywhere">
        {name}
      </Link>
    )
  )
}

/** Codes and licences are shown in mono, words are not. */
function isCode(value: string): boolean {
  return /\d/.test(value) && !/\s/.test(value)
}

/** Any value in one line of text: strings unchanged, other types as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

/** A shorter visit only passes by, in ms. */
const passingMs = 400

const figureToCome = <Box component="span" w={72} h={12} className="skeleton" />

const figureMissing = (
  <Box component="span" fz="var(--l-fs-ui)" fw={400} lts={0} className="text-muted">
    Not given
  </Box>
)

/**
 * The member's points. Errors stay here, and leave the balance of the record: the rest of the page works without them.
 * The age is that of the record while a newer one is on its way.
 */
export const MemberFigures = memo(function MemberFigures(props: {
  member: Member
  record: StaleResponse | undefined
}) {
  const { member, record } = props
  const memberId = member.id
  const queryClient = useQueryClient()
  // Until then the record's balance is shown.
  const query = useQuery(balanceQuery(memberId, { after: passingMs, update: true }))
  const { data, error, isFetching } = query
  const refresh = () =>
    void queryClient.prefetchQuery({ ...balanceQuery(memberId, { fresh: true }), staleTime: 0 })
  const balance = data?.data
  const available = balance === undefined ? member.points_balance : balance.balance
  const isUnknown = error !== null && balance === undefined
  const dated = isUnknown || isUpdating(record) ? record : data
  const figure = (label: string, points: number | null | undefined) => {
    if (points !== null && points !== undefined) return { label, value: formatPoints(points) }
    return { label, value: balance === undefined ? figureToCome : figureMissing }
  }
  const first = figure("Available", available)
  const others = [
    figure("Pending approval", balance?.pending),
    figure("Lifetime earned", balance?.lifetime_earned),
    figure("Lifetime redeemed", balance?.lifetime_redeemed),
  ]
  return (
    <>
      {error !== null && (
        <Box px="gutter" py={12}>
          <QueryNotices noun="balance" view={queryView(query, refresh)} />
        </Box>
      )}
      {!(isUnknown && typeof available !== "number") && (
        <Figures
          items={isUnknown ? [first] : [first, ...others]}
          end={
            <AsOf at={dated?.at} refreshing={isFetching} updating={isUpdating(dated)} onRefresh={refresh} />
          }
        />
      )}
    </>
  )
})
