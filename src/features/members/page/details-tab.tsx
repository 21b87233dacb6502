import { Box, Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import {
  memberDetailNames,
  memberDetails,
  memberFieldNames,
} from "../../../../contract/program/member-fields.ts"
import { sees } from "../../../../contract/redaction.ts"
import { useSession } from "../../../api/session.ts"
import { capital } from "../../../lib/format.ts"
import { rawValue, undocumentedFields } from "../../../../contract/reading.ts"
import { isUpdating } from "../../../../contract/response.ts"
import { exact } from "../../../lib/time.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import { CopyText, Points } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"
import { asText } from "./member-facts.tsx"
import { fieldList, memberRecordQuery, useMemberAccess, useRereadMember } from "./member-state.ts"

/** Every field of the record as sent, including undocumented ones. */
export function DetailsTab({ memberId }: { memberId: string }) {
  const { data, isFetching } = useQuery(memberRecordQuery(memberId))
  const { role } = useSession().user
  const { everything } = useMemberAccess()
  const reread = useRereadMember(memberId)
  if (data === undefined) return null
  const member = data.data
  const metadata = Object.entries(member.metadata ?? {})
  const further = undocumentedFields(member, memberFieldNames)
  const shown = memberDetailNames.filter((name) => sees("member", role, name))
  const hidden = memberDetailNames.filter((name) => !shown.includes(name))
  return (
    <Stack gap={28} className={`grow scroll ${classes.panel}`}>
      <Fields
        title="Record"
        end={<AsOf at={data.at} refreshing={isFetching} updating={isUpdating(data)} onRefresh={reread} />}
        help={!everything && `${capital(fieldList(hidden))} are not available to your role.`}
        fields={[
          ["First name", copied(member.first_name)],
          ["Last name", copied(member.last_name)],
          ["E-mail", copied(member.email)],
          ...shown.map((name) => [memberDetails[name].label, copied(member[name])] as const),
          ["Status", <Status of="member" value={member.status} />],
          ["Tier", copied(member.tier)],
          [
            "Points on the record",
            <Points value={member.points_balance} sent={rawValue(member, "points_balance")} />,
          ],
          ["Member id", <CopyText text={member.id} mono />],
          ["Created", copied(member.created_at && exact(member.created_at))],
          ["Updated", copied(member.updated_at && exact(member.updated_at))],
        ]}
      />
      {further.length > 0 && (
        <Fields
          title="Other fields"
          mono
          help="The service sent these undocumented fields. They’re shown as sent."
          fields={further.map(([field, value]) => [field, <CopyText text={asText(value)} mono />])}
        />
      )}
      {everything && (
        <Fields
          title="Custom fields"
          mono
          help={metadata.length === 0 && "None"}
          fields={metadata.map(([key, value]) => [
            key,
            typeof value === "object" && value !== null ? (
              <Box component="pre" m={0} className="l-mono" style={{ whiteSpace: "pre-wrap" }}>
                {JSON.stringify(value, null, 2)}
              </Box>
            ) : (
              <CopyText text={asText(value)} mono={typeof value !== "string"} />
            ),
          ])}
        />
      )}
    </Stack>
  )
}

function Fields(props: {
  title: string
  end?: ReactNode
  help: string | false
  mono?: boolean
  fields: readonly (readonly [label: string, value: ReactNode] | false)[]
}) {
  const { title, end, help, mono = false, fields } = props
  const note = help !== false && (
    <Box component="p" my={8} className="caption">
      {help}
    </Box>
  )
  return (
    <section>
      <Group justify="space-between" gap={16} mih={28} mb={4} wrap="nowrap">
        <h2 className="small-heading">{title}</h2>
        {end}
      </Group>
      {mono && note}
      <dl>
        {fields
          .filter((field) => field !== false)
          .map(([label, value]) => (
            <div key={label} className={`line-below ${classes.field}`}>
              <dt className={mono ? "l-mono" : undefined}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {!mono && note}
    </section>
  )
}

function copied(value: string | null | undefined) {
  return value ? <CopyText text={value} /> : <span className="text-muted">None</span>
}
