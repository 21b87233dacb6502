import { lazy } from "react"
import { limits } from "../../../../contract/limits.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { rangeWords } from "../../../lib/days.ts"
import { PanelFilter } from "../../../lists/filters.tsx"
import { daysOf } from "../search.ts"
import classes from "../orders-list.module.css"
import type { OrderList } from "./use-order-list.ts"

const DaysChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).DaysChoice,
}))
const MemberPicker = lazy(async () => ({
  default: (await import("../../../forms/member-picker.tsx")).MemberPicker,
}))
const TextChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).TextChoice,
}))

/** Whose orders, and of which days. The tabs choose the status. */
export function OrderFilters({ list }: { list: OrderList }) {
  const { search, setFilter, names } = list
  const timeZone = useSession().program.time_zone
  const maySearch = useCan("members.search")
  const days = daysOf(search)
  return (
    <>
      <PanelFilter
        label="Created"
        value={rangeWords(days)}
        onRemove={() => setFilter({ from: undefined, to: undefined })}
      >
        {(close) => (
          <DaysChoice
            value={days}
            help={`Days in ${timeZone}.`}
            onChoose={({ from, to }) => {
              setFilter({ from, to })
              close()
            }}
          />
        )}
      </PanelFilter>
      <PanelFilter
        label="Member"
        value={search.member === undefined ? undefined : (names?.names.get(search.member) ?? search.member)}
        onRemove={() => setFilter({ member: undefined })}
      >
        {(close) => {
          const choose = (member: string) => {
            setFilter({ member: member === "" ? undefined : member })
            close()
          }
          return maySearch ? (
            <div className={classes.picker}>
              <MemberPicker label="Member" onPick={({ id }) => choose(id)} />
            </div>
          ) : (
            <TextChoice
              label="Member id"
              value={search.member ?? ""}
              seen={seenMembers(list)}
              help="Your role can’t search members. These have orders on this page; any other id can be typed."
              maxLength={limits.shortText}
              onChoose={choose}
            />
          )
        }}
      </PanelFilter>
    </>
  )
}

/** Members of the rows on the page, each once, a few at most. */
function seenMembers({ rows }: OrderList) {
  const seen = new Map(rows.map(({ order, member }) => [order.member_id ?? "", member]))
  seen.delete("")
  return [...seen].slice(0, 12).map(([value, label]) => ({ value, label }))
}
