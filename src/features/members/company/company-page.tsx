import { Box, Group, Stack, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconBuilding } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import type { Company } from "../../../../contract/companies.ts"
import { limits } from "../../../../contract/limits.ts"
import { companiesQuery, companyQuery, useMergeCompany } from "../../../api/companies.ts"
import { membersQuery } from "../../../api/members.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { counted, formatCount, formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { useListQuery, useLocalListState } from "../../../lists/list-state.ts"
import { RequirePagePermission, RequirePermission } from "../../../lists/require-permission.tsx"
import { ResourceList } from "../../../lists/resource-list.tsx"
import { shortDay } from "../../../lib/time.ts"
import { Button, LinkButton } from "../../../ui/button.tsx"
import { DescriptionList } from "../../../ui/data-table.tsx"
import { initialFocus, useServerNow } from "../../../ui/hooks.ts"
import { ErrorNotice } from "../../../ui/notice.tsx"
import { notify } from "../../../ui/notify.tsx"
import { Figures, PageHeader } from "../../../ui/page-header.tsx"
import { Popover } from "../../../ui/popover.tsx"
import { RecordFacts, RecordPage } from "../../../ui/record-page.tsx"
import { companyMemberColumns } from "../list/member-columns.tsx"
import { sortParam } from "../list/members-page.tsx"

const route = getRouteApi("/_app/companies_/$name")
const parent = { label: "Companies", to: "/companies" }

/** One company: its members, their points, and the names it has in their records. */
export function CompanyPage() {
  return (
    <RequirePagePermission permission="companies.read" title="Company" noun="companies">
      <CompanyRecord />
    </RequirePagePermission>
  )
}

function CompanyRecord() {
  const { name } = route.useParams()
  const isStaff = useCan("points.write")
  return (
    <RecordPage
      key={name}
      query={useQuery(companyQuery(name))}
      noun="company"
      parent={parent}
      fills
      missing={{
        icon: IconBuilding,
        id: name,
        title: `No member has the company ${name}`,
        help: "It may have been renamed in the members’ records.",
      }}
      renderHeader={(company) => (
        <PageHeader title={company.name} path={[parent]} actions={isStaff && <Actions company={company} />} />
      )}
      renderFigures={(company) => <CompanyFigures company={company} />}
      renderFacts={(company) => (
        <>
          <MemberCounts company={company} />
          <Names company={company} />
        </>
      )}
    >
      {(company) => (isStaff ? <CompanyMembers company={company} /> : <MembersLink company={company} />)}
    </RecordPage>
  )
}

function Actions({ company: { name } }: { company: Company }) {
  return (
    <>
      <RequirePermission permission="cards.issue">
        <LinkButton to="/cards/issue-file" search={{ company: name }}>
          Issue cards
        </LinkButton>
      </RequirePermission>
      <LinkButton to="/members/points-file" search={{ kind: "award", company: name }} variant="filled">
        Award points
      </LinkButton>
    </>
  )
}

function CompanyFigures({ company }: { company: Company }) {
  const { members, points, without_points: without, ledgers } = company
  const now = useServerNow("half-minute")
  const isRead = ledgers !== undefined && ledgers.read > 0
  return (
    <Figures
      items={[
        {
          label: without > 0 ? `Points, without ${counted(without, "member")}` : "Points",
          value: formatPoints(points),
        },
        ...(isRead
          ? [
              { label: "Awarded", value: formatPoints(ledgers.awarded) },
              { label: "Redeemed", value: formatPoints(ledgers.redeemed) },
              {
                label: "Last activity",
                value: ledgers.last_entry_at === null ? "None" : shortDay(ledgers.last_entry_at, now),
              },
            ]
          : []),
      ]}
      end={
        ledgers !== undefined && ledgers.read < members
          ? `Ledgers of ${formatCount(ledgers.read)} of ${counted(members, "member")} read`
          : undefined
      }
    />
  )
}

function MemberCounts({ company: { members, active, inactive } }: { company: Company }) {
  const others = members - active - inactive
  return (
    <RecordFacts title="Members">
      <DescriptionList
        layout="inline"
        items={[
          ["Total", formatCount(members)],
          ["Active", formatCount(active)],
          ["Inactive", formatCount(inactive)],
          others > 0 && ["Pending or other", formatCount(others)],
        ]}
      />
    </RecordFacts>
  )
}

/** The names in members' records: merged ones can be separated again. */
function Names({ company }: { company: Company }) {
  const mayMerge = useCan("settings.program")
  const merge = useMergeCompany()
  const separate = (name: string) =>
    merge.mutate(
      { name, into: null },
      {
        onSuccess: () =>
          notify({ id: `merge-${name}`, tone: "success", title: `“${name}” is its own company again` }),
      },
    )
  return (
    <RecordFacts title="Names" end={mayMerge && <MergeButton company={company} />}>
      <Stack component="ul" gap={8}>
        {company.names.map(({ name, members, merged }) => (
          <Group key={name} component="li" gap="0 8px" justify="space-between" wrap="nowrap">
            <Box miw={0}>
              <span className="wrap-anywhere">{name}</span>{" "}
              <span className="caption nowrap">{counted(members, "member")}</span>
            </Box>
            {merged && mayMerge && (
              <Button
                size="xs"
                variant="subtle"
                aria-label={`Separate ${name}`}
                loading={merge.isPending && merge.variables.name === name}
                onClick={() => separate(name)}
              >
                Separate
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <ErrorNotice error={merge.error} what="Nothing was changed." />
    </RecordFacts>
  )
}

function MergeButton({ company }: { company: Company }) {
  return (
    <Popover
      label="Merge with another company"
      button={
        <button type="button" className="l-link l-meta">
          Merge
        </button>
      }
    >
      {(close) => <MergeForm company={company} close={close} />}
    </Popover>
  )
}

const suggested = 8

/** Says that the company is another name of a second one. */
function MergeForm({ company: { name }, close }: { company: Company; close: () => void }) {
  const [text, setText] = useState("")
  const [typed] = useDebouncedValue(text.trim(), 200)
  const merge = useMergeCompany()
  const navigate = useNavigate()
  const { data } = useQuery(companiesQuery({ ...(typed !== "" && { search: typed }), per_page: suggested }))
  const others = (data?.data ?? []).filter((each) => each.name !== name)
  const save = (into: string) =>
    merge.mutate(
      { name, into },
      {
        onSuccess: () => {
          close()
          void navigate({ to: "/companies/$name", params: { name: into } })
          notify({ id: `merge-${name}`, tone: "success", title: `“${name}” is now ${into}` })
        },
      },
    )
  return (
    <Stack
      component="form"
      gap={12}
      w={288}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== "") save(text.trim())
      }}
    >
      <Group align="end" gap="sm" wrap="nowrap">
        <TextInput
          {...initialFocus}
          label={`“${name}” is another name of`}
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.shortText}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          className="grow"
        />
        <Button type="submit" loading={merge.isPending}>
          Merge
        </Button>
      </Group>
      <Group component="ul" gap={6} mah={200} className="scroll">
        {others.map((each) => (
          <li key={each.name}>
            <Button size="xs" onClick={() => setText(each.name)}>
              {each.name}
            </Button>
          </li>
        ))}
      </Group>
      <p className="caption">
        Both are shown and filtered as one company. Members’ records don’t change, and you can separate them
        again.
      </p>
      <ErrorNotice error={merge.error} what="Nothing was changed." />
    </Stack>
  )
}

function CompanyMembers({ company: { name, names } }: { company: Company }) {
  const { role } = useSession().user
  const state = useLocalListState()
  const sort = sortParam(state.sort ?? "name")
  const query = { company: name, page: state.page, per_page: state.perPage, ...(sort && { sort }) }
  const page = useListQuery((how) => membersQuery(query, how), state)
  const several = names.length > 1
  const columns = useMemo(() => companyMemberColumns(role, several), [role, several])
  return (
    <ResourceList
      label="Members"
      query={{ ...page, copied: true }}
      rowName={fullName}
      columns={columns}
      footer={{
        note: (
          <Link to="/members" search={{ company: name }} className="l-link">
            Show them in Members
          </Link>
        ),
      }}
    />
  )
}

/** Roles that read totals without people's names. */
function MembersLink({ company: { members } }: { company: Company }) {
  return (
    <Box px="gutter" py={20} className="text-secondary">
      {counted(members, "member")}. Who they are is shown to administrators and managers.
    </Box>
  )
}
