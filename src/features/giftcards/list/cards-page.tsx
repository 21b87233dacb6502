import { Button } from "@mantine/core"
import { IconDownload, IconLock, IconSearch } from "@tabler/icons-react"
import { Outlet } from "@tanstack/react-router"
import { useRef } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { formatCount } from "../../../lib/format.ts"
import { useColumnChoice, useListLayout } from "../../../lists/list-columns.ts"
import { ColumnsButton } from "../../../lists/filters.tsx"
import { FilterRow, ListNotes, ListPage, PagingFoot } from "../../../lists/list-page.tsx"
import { useListKeys } from "../../../lists/list-keys.ts"
import { AsOf, EmptyState } from "../../../ui/query-state.tsx"
import { RequirePermission } from "../../../ui/require-permission.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { cardColumns } from "./card-columns.tsx"
import { CardFilters } from "./card-filters.tsx"
import { CardTable } from "./card-table.tsx"
import { CardsDialogs } from "./cards-dialogs.tsx"
import { isFiltered, noCardFilter } from "../search.ts"
import { IssueButtons } from "./issue-buttons.tsx"
import { useCardList } from "./use-card-list.ts"

/** Every gift card that was issued from this desk or added to its register, with what opens above the list. */
export function CardsPage() {
  if (useCan("cards.read")) return <Register />
  return (
    <ListPage>
      <PageHeader title="Gift cards" />
      <EmptyState
        icon={IconLock}
        title="Your role can’t view gift cards"
        help="Administrators, managers and viewers can. Ask an administrator to change your role."
      />
    </ListPage>
  )
}

function Register() {
  const list = useCardList()
  const root = useRef<HTMLDivElement>(null)
  const [choice, choose] = useColumnChoice("cards")
  const { currency } = useSession().program
  const { search, page, total } = list
  const layout = useListLayout()
  const filtered = isFiltered(search)
  useListKeys(root, nothing)
  return (
    <ListPage ref={root}>
      <PageHeader
        title="Gift cards"
        sum={
          total === undefined ? undefined : `${formatCount(total)} ${filtered ? "match" : "in the register"}`
        }
        actions={
          <>
            <Button
              leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
              onClick={() => list.show("look-up")}
            >
              {layout === "phone" ? "Look up" : "Look up a card"}
            </Button>
            <IssueButtons />
          </>
        }
      />
      <FilterRow
        onClear={filtered ? () => list.setFilter({ ...noCardFilter, sort: "newest" }) : undefined}
        end={
          <>
            {layout === "wide" && <ColumnsButton columns={cardColumns} choice={choice} onChoose={choose} />}
            <RequirePermission permission="exports.people">
              <Button
                leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
                onClick={() => list.show("export")}
              >
                Export
              </Button>
            </RequirePermission>
          </>
        }
      >
        <CardFilters list={list} />
      </FilterRow>
      <ListNotes>
        {page.error !== null && (
          <ErrorNotice
            error={page.error}
            what={
              page.data === undefined
                ? "Couldn’t load the register."
                : "Couldn’t refresh the register. Showing the last loaded version."
            }
            onRetry={() => void page.refetch()}
          />
        )}
      </ListNotes>
      <CardTable list={list} choice={choice} />
      <PagingFoot
        page={search.page}
        perPage={search.per_page}
        rows={page.data?.data.length}
        total={total}
        asOf={
          <>
            <AsOf at={page.data?.at} refreshing={page.isFetching} onRefresh={list.refresh} />
            {layout !== "phone" && (
              <span className="text-muted truncate">
                Amounts in {currency}. The service lists no cards: one issued elsewhere is looked up.
              </span>
            )}
          </>
        }
        onPage={(next) => list.set({ page: next })}
        onPerPage={(perPage) => list.set({ per_page: perPage, page: 1 })}
      />
      <CardsDialogs list={list} />
      <Outlet />
    </ListPage>
  )
}

function nothing() {}
