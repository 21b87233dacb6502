import { Tooltip, VisuallyHidden } from "@mantine/core"
import type { ReactNode } from "react"
import type { Api, BudgetView } from "../../../contract/status.ts"
import { SectionHead, serviceNames } from "./settings-parts.tsx"
import { formatCount } from "../../lib/format.ts"
import { duration, exact, timeOfDay } from "../../lib/time.ts"
import { Figures } from "../../ui/page-header.tsx"
import { Segmented } from "../../ui/segmented.tsx"
import classes from "./settings.module.css"

interface BudgetSectionProps {
  budgets: readonly BudgetView[]
  /** Whose budget is shown; each service has its own. */
  api: Api
  onApi: (api: Api) => void
  /** How old the figures are. */
  asOf: ReactNode
}

/** The shared request budget: the last 30 minutes, its numbers, who used it. */
export function BudgetSection({ budgets, api, onApi, asOf }: BudgetSectionProps) {
  const budget = budgets.find((each) => each.api === api) ?? budgets[0]
  if (budget === undefined) {
    return (
      <section>
        <SectionHead title="Request budget" />
        <p className="text-secondary">No service is connected, so there’s no request budget.</p>
      </section>
    )
  }
  const { limit, minutes, used_by } = budget
  return (
    <section>
      <SectionHead
        title="Request budget"
        beside={
          budgets.length > 1 && (
            <Segmented
              label="Service"
              value={budget.api}
              options={budgets.map((each) => ({ value: each.api, label: serviceNames[each.api] }))}
              onChange={onApi}
            />
          )
        }
        end={
          <>
            <Legend mark="people">People</Legend>
            <Legend mark="jobs">Jobs</Legend>
            <Legend mark="limit">{formatCount(limit)} a minute</Legend>
          </>
        }
      />
      <BudgetChart limit={limit} minutes={minutes} />
      <BudgetTable limit={limit} minutes={minutes} />
      <BudgetFigures budget={budget} asOf={asOf} />
      <UsedBy rows={used_by} />
    </section>
  )
}

function Legend({ mark, children }: { mark: "people" | "jobs" | "limit"; children: ReactNode }) {
  return (
    <span className={classes.legend}>
      <i data-mark={mark} aria-hidden />
      {children}
    </span>
  )
}

interface BudgetFiguresProps {
  budget: BudgetView
  /** How old the figures are. */
  asOf: ReactNode
}

/** The budget in four numbers, and what a spent one means right now. */
function BudgetFigures({ budget, asOf }: BudgetFiguresProps) {
  const { left, waiting, longest_wait_ms, refused, minutes } = budget
  return (
    <div className={classes.figures}>
      <Figures
        items={[
          { label: "Requests left this minute", value: formatCount(left) },
          { label: `Used in ${minutes.length} min`, value: formatCount(used(minutes)) },
          { label: "Longest wait", value: longest_wait_ms === 0 ? "None" : duration(longest_wait_ms) },
          { label: "Refused by the service (429)", value: formatCount(refused) },
        ]}
        end={asOf}
      />
      {left === 0 && (
        <p className={classes.wait}>The minute is used up. {waitingWords(waiting)} Nothing is lost.</p>
      )}
    </div>
  )
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "The next request is waiting."
  return `${formatCount(waiting)} ${waiting === 1 ? "request is waiting" : "requests are waiting"}.`
}

/** The last 30 minutes, people below, jobs above, the limit as a dashed line. `BudgetTable` says the same in words. */
function BudgetChart({ limit, minutes }: Pick<BudgetView, "limit" | "minutes">) {
  const top = chartTop({ limit, minutes })
  const at = (requests: number) => `${(100 * requests) / top}%`
  return (
    <div className={classes.chart} aria-hidden>
      <div className={classes.plot}>
        <Level at={at(0)} label="0" />
        <Level at={at(limit / 2)} label={formatCount(Math.round(limit / 2))} />
        <Level at={at(limit)} label={formatCount(limit)} dashed />
        <div className={classes.bars}>
          {minutes.map((minute) => (
            <Tooltip key={minute.at} label={minuteWords(minute)}>
              <div className={classes.minute}>
                {minute.jobs > 0 && <i className={classes.jobs} style={{ height: at(minute.jobs) }} />}
                {minute.people > 0 && <i className={classes.people} style={{ height: at(minute.people) }} />}
              </div>
            </Tooltip>
          ))}
        </div>
      </div>
      <div className={classes.ends}>
        <span>{minutes.length} min ago</span>
        <span>Now</span>
      </div>
    </div>
  )
}

function Level({ at, label, dashed = false }: { at: string; label: string; dashed?: boolean }) {
  return (
    <div className={classes.level} data-dashed={dashed || undefined} style={{ bottom: at }}>
      <span>{label}</span>
    </div>
  )
}

function minuteWords({ at, people, jobs }: BudgetMinute): string {
  return `${timeOfDay(at)}: people ${formatCount(people)}, jobs ${formatCount(jobs)}`
}

/** One minute of the budget: when, and the requests of people and of jobs. */
type BudgetMinute = BudgetView["minutes"][number]

/** Requests of people and jobs together, over all minutes. */
export function used(minutes: readonly BudgetMinute[]): number {
  return minutes.reduce((total, { people, jobs }) => total + people + jobs, 0)
}

/**
 * The top of the chart in requests: the limit, or the fullest minute when it holds more (the limit was lowered).
 */
export function chartTop({ limit, minutes }: Pick<BudgetView, "limit" | "minutes">): number {
  return Math.max(limit, 1, ...minutes.map(({ people, jobs }) => people + jobs))
}

/** What the chart shows, for whoever does not see it. */
function BudgetTable({ limit, minutes }: Pick<BudgetView, "limit" | "minutes">) {
  return (
    <VisuallyHidden>
      <table>
        <caption>
          Requests in the last {minutes.length} minutes; limit {limit} a minute
        </caption>
        <thead>
          <tr>
            <th scope="col">Minute</th>
            <th scope="col">People</th>
            <th scope="col">Jobs</th>
          </tr>
        </thead>
        <tbody>
          {minutes.map(({ at, people, jobs }) => (
            <tr key={at}>
              <th scope="row">{exact(at)}</th>
              <td>{people}</td>
              <td>{jobs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}

/** How many are named; the rest is one line. */
const named = 6

/** Who used the budget in the last 30 minutes, most first. */
function UsedBy({ rows }: { rows: BudgetView["used_by"] }) {
  const total = rows.reduce((sum, { requests }) => sum + requests, 0)
  if (total === 0) return <p className={classes.nobody}>No requests in the last 30 minutes.</p>
  const shown = rows.length > named ? rows.slice(0, named - 1) : rows
  const rest = rows.slice(shown.length)
  const lines = [
    ...shown,
    ...(rest.length === 0
      ? []
      : [{ name: `${rest.length} others`, requests: rest.reduce((sum, { requests }) => sum + requests, 0) }]),
  ]
  return (
    <div>
      <h3 className={classes.usedByHeader}>Used by</h3>
      <ul className={classes.usedByList}>
        {lines.map(({ name, requests }) => (
          <li key={name} className={classes.line}>
            <span className={classes.usedByName}>{name}</span>
            <span className={classes.track} aria-hidden>
              <i style={{ width: `${(100 * requests) / total}%` }} />
            </span>
            <span className={classes.count}>{formatCount(requests)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
