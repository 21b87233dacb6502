import { Box, Group, SimpleGrid, Tooltip, SegmentedControl } from "@mantine/core"
import type { CSSProperties, ReactNode } from "react"
import type { Api } from "../../../contract/response.ts"
import type { BudgetView } from "../../../contract/status.ts"
import { serviceNames } from "./settings-layout.tsx"
import { counted, formatCount } from "../../lib/format.ts"
import { duration, timeOfDay } from "../../lib/time.ts"
import { type DataColumn, DataTable, DescriptionList } from "../../ui/data-table.tsx"
import { Figures, Section } from "../../ui/page-header.tsx"
import classes from "./settings.module.css"

/** The shared request budget of one service: the last 30 minutes, its numbers, and its users. */
export function BudgetSection(props: {
  budgets: readonly BudgetView[]
  api: Api
  onApi: (api: Api) => void
  asOf: ReactNode
}) {
  const { budgets, api, onApi, asOf } = props
  const budget = budgets.find((each) => each.api === api) ?? budgets[0]
  if (budget === undefined) {
    return (
      <Section title="Request budget">
        <p className="text-secondary">No service is connected, so there’s no request budget.</p>
      </Section>
    )
  }
  const { limit, minutes, left, waiting, longest_wait_ms, refused } = budget
  return (
    <Section
      title="Request budget"
      aside={
        budgets.length > 1 && (
          <SegmentedControl
            aria-label="Service"
            value={budget.api}
            data={budgets.map((each) => ({ value: each.api, label: serviceNames[each.api] }))}
            onChange={onApi}
          />
        )
      }
      end={
        <Group gap={6} c="var(--l-text-2)">
          <Box w={10} h={10} bdrs={2} className="fill" />
          People
          <Box w={10} h={10} bdrs={2} ms="sm" className="fill" data-tone="info" />
          Jobs
          <Box w={10} h={10} bdrs={2} ms="sm" className="fill" data-tone="success" />
          Local copy
          <Box w={14} ms="sm" style={{ borderTop: "2px dashed var(--l-text-3)" }} />
          {formatCount(limit)} a minute
        </Group>
      }
    >
      <BudgetChart limit={limit} minutes={minutes} />
      <span className="visually-hidden">
        <DataTable
          label={`Requests in the last ${minutes.length} minutes; limit ${limit} a minute`}
          columns={minuteColumns}
          rows={minutes}
          keyOf={({ at }) => at}
        />
      </span>
      <div style={inSection}>
        <Figures
          items={[
            { label: "Requests left this minute", value: formatCount(left) },
            { label: `Used in ${minutes.length} min`, value: formatCount(used(minutes)) },
            { label: "Longest wait", value: longest_wait_ms === 0 ? "None" : duration(longest_wait_ms) },
          ]}
          end={asOf}
        />
        <details className="l-meta">
          <summary>Technical details</summary>
          <DescriptionList layout="inline" items={[["Refused by the service (429)", formatCount(refused)]]} />
        </details>
      </div>
      {left === 0 && (
        <Box component="p" c="var(--l-info)">
          The minute is used up.{" "}
          {waiting === 0
            ? "The next request is waiting."
            : `${counted(waiting, "request")} ${waiting === 1 ? "is" : "are"} waiting.`}{" "}
          Nothing is lost.
        </Box>
      )}
      <UsedBy rows={budget.used_by} />
    </Section>
  )
}

const inSection: CSSProperties & Record<`--${string}`, string> = { "--l-gutter": "0px" }

type Chart = Pick<BudgetView, "limit" | "minutes">

/**
 * The last 30 minutes: user requests below, then jobs, then the local copy; the limit as a dashed line. A table has the
 * same data.
 */
function BudgetChart({ limit, minutes }: Chart) {
  const top = chartTop({ limit, minutes })
  const percent = (requests: number) => `${(100 * requests) / top}%`
  return (
    <div className={`text-muted l-num ${classes.chart}`} aria-hidden>
      <Box pos="relative" h={102}>
        {[0, limit / 2, limit].map((level) => (
          <div
            key={level}
            className={classes.level}
            data-dashed={level === limit || undefined}
            style={{ bottom: percent(level) }}
          >
            {formatCount(Math.round(level))}
          </div>
        ))}
        <div className={classes.bars}>
          {minutes.map(({ at, people, jobs, sync }) => (
            <Tooltip
              key={at}
              label={`${timeOfDay(at)}: people ${formatCount(people)}, jobs ${formatCount(jobs)}, local copy ${formatCount(sync)}`}
            >
              <div className="hover-fill">
                {sync > 0 && <i className="fill" data-tone="success" style={{ height: percent(sync) }} />}
                {jobs > 0 && <i className="fill" data-tone="info" style={{ height: percent(jobs) }} />}
                {people > 0 && <i className="fill" style={{ height: percent(people) }} />}
              </div>
            </Tooltip>
          ))}
        </div>
      </Box>
      <Group justify="space-between" mt="xs">
        <span>{minutes.length} min ago</span>
        <span>Now</span>
      </Group>
    </div>
  )
}

const sumOf = ({ people, jobs, sync }: BudgetView["minutes"][number]) => people + jobs + sync

/** Total requests of users, jobs and the local copy. */
export function used(minutes: BudgetView["minutes"]): number {
  return minutes.reduce((total, minute) => total + sumOf(minute), 0)
}

/** Top of the chart in requests: the limit, or the highest minute if it is above (the limit was lowered). */
export function chartTop({ limit, minutes }: Chart): number {
  return Math.max(limit, 1, ...minutes.map(sumOf))
}

const minuteColumns: readonly DataColumn<BudgetView["minutes"][number]>[] = [
  { label: "Minute", rowHeader: true, cell: ({ at }) => timeOfDay(at) },
  { label: "People", cell: ({ people }) => people },
  { label: "Jobs", cell: ({ jobs }) => jobs },
  { label: "Local copy", cell: ({ sync }) => sync },
]

const named = 6

function UsedBy({ rows }: { rows: BudgetView["used_by"] }) {
  const sum = (some: typeof rows) => some.reduce((total, { requests }) => total + requests, 0)
  const total = sum(rows)
  if (total === 0) return <p className="text-muted">No requests in the last 30 minutes.</p>
  const shown = rows.length > named ? rows.slice(0, named - 1) : rows
  const rest = rows.slice(shown.length)
  const others = rest.length > 0 && { name: `${rest.length} others`, requests: sum(rest) }
  return (
    <div>
      <h3>Used by</h3>
      <SimpleGrid component="ul" cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing={0} mt="xs">
        {[...shown, ...(others ? [others] : [])].map(({ name, requests }) => (
          <Group key={name} component="li" gap={12} wrap="nowrap" mih={28}>
            <Box component="span" w={136} flex="none" className="truncate">
              {name}
            </Box>
            <Box component="span" flex={1} bdrs={3} bg="var(--l-track)" aria-hidden>
              <Box h={6} bdrs={3} w={`${(100 * requests) / total}%`} className="fill" />
            </Box>
            <Box component="span" w={48} ta="end" className="l-num l-medium">
              {formatCount(requests)}
            </Box>
          </Group>
        ))}
      </SimpleGrid>
    </div>
  )
}
