import { SegmentedControl } from "@mantine/core"
import { IconCreditCard, IconFileSpreadsheet, IconPlus, IconSearch } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import type { RegisteredCard } from "../../../contract/cards.ts"
import { cardFacetsQuery, cardsKey, cardsQuery } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { formatCount } from "../../lib/format.ts"
import { useListLayout } from "../../lists/list-columns.ts"
import { ChoiceFilter, filtersInUse, withoutFilters, type ListFilter } from "../../lists/list-filters.tsx"
import { useListQuery, useListState } from "../../lists/list-state.ts"
import { ExportButton, ResourceList } from "../../lists/resource-list.tsx"
import { RequirePagePermission, RequirePermission } from "../../lists/require-permission.tsx"
import { cardColumns, CardStatus, originLabels, RevealInRow, useTemplateName } from "./card-columns.tsx"
import { toCardFilter, toCardPageQuery, type CardsSearch, soonDays } from "./card-search.ts"
import { Button, buttonIcon, LinkButton } from "../../ui/button.tsx"

const LookupDrawer = lazy(async () => ({ default: (await import("./lookup-drawer.tsx")).LookupDrawer }))
const RevealDialog = lazy(async () => ({ default: (await import("./reveal-dialog.tsx")).RevealDialog }))
const ExportCards = lazy(async () => ({ default: (await import("./export-cards.tsx")).ExportCards }))

const route = getRouteApi("/_app/cards")
const revealInRow = (card: RegisteredCard) => <RevealInRow card={card} />

/** All gift cards issued with Laurel or added to its register, with the drawers above the list. */
export function CardsPage() {
  return (
    <RequirePagePermission
      permission="cards.read"
      title="Gift cards"
      noun="gift cards"
      help="Administrators, managers and viewers can."
    >
      <Register />
    </RequirePagePermission>
  )
}

function Register() {
  const client = useQueryClient()
  const { currency, time_zone } = useSession().program
  const search = route.useSearch()
  const state = useListState()
  const phone = useListLayout() === "phone"
  const page = useListQuery(() => cardsQuery(toCardPageQuery(search, time_zone)), state)
  const filters = useCardFilters(search)
  const filtered = Object.keys(filtersInUse(filters, search)).length > 0
  const { total } = page
  const lookUp = () => state.set({ open: "look-up" })
  const close = () => state.set({ open: undefined, find: undefined, in: undefined, card: undefined })
  return (
    <ResourceList
      title="Gift cards"
      query={{ ...page, refresh: () => void client.invalidateQueries({ queryKey: cardsKey }) }}
      columns={cardColumns}
      rowAction={revealInRow}
      listKey="cards"
      filters={filters}
      filterEnd={<ExportButton state={state} />}
      sum={total === undefined || filtered ? undefined : `${formatCount(total)} in the register`}
      actions={
        <>
          <Button leftSection={<IconSearch {...buttonIcon} />} onClick={lookUp}>
            {phone ? "Look up" : "Look up a card"}
          </Button>
          <RequirePermission permission="cards.issue">
            <LinkButton to="/cards/issue-file" leftSection={<IconFileSpreadsheet {...buttonIcon} />}>
              {phone ? "Import" : "Issue from a file"}
            </LinkButton>
          </RequirePermission>
          <RequirePermission permission="cards.issue">
            <LinkButton
              variant="filled"
              from="/cards"
              to="/cards/issue"
              search={true}
              resetScroll={false}
              leftSection={<IconPlus {...buttonIcon} stroke={2} />}
            >
              Issue card
            </LinkButton>
          </RequirePermission>
        </>
      }
      empty={{
        icon: IconCreditCard,
        title: "No gift cards issued yet",
        help: "Cards issued here are added automatically. To add a card issued elsewhere, look it up.",
        actions: <Button onClick={lookUp}>Look up a card</Button>,
      }}
      noMatch={{
        title: "No cards match these filters",
        help: "Search covers recipient name and e-mail, card id, reference and member id. A card issued elsewhere may not be in the register: look it up.",
        actions: (
          <>
            <Button onClick={() => state.setFilter(withoutFilters(filters))}>Clear the filters</Button>
            <Button onClick={lookUp}>Look up a card</Button>
          </>
        ),
      }}
      footer={{
        note: !phone && (
          <span className="text-muted truncate">
            Amounts in {currency}. Only cards issued here are listed. Use Look up for others.
          </span>
        ),
      }}
      exportDialog={
        <ExportCards
          filter={toCardFilter(search, time_zone)}
          filtered={filtered}
          total={total}
          onClose={close}
        />
      }
    >
      <Suspense>
        {search.open === "look-up" && <LookupDrawer onClose={close} />}
        {search.open === "reveal" && search.card !== undefined && (
          <RevealDialog cardId={search.card} onClose={close} />
        )}
      </Suspense>
    </ResourceList>
  )
}

const tests = [
  { value: "yes", label: "Test cards only" },
  { value: "no", label: "Live cards only" },
]
const origins = Object.entries(originLabels).map(([value, label]) => ({ value, label }))
const fullId = (key: "job" | "member", label: string) =>
  ({ type: "text", key, label, seen: [], help: `The full id, as shown on the ${key}’s page.` }) as const
const noFacets = { templates: [], statuses: [], people: [] }

/** Filters of the register. Rare ones are shown when in use or chosen under "More". */
function useCardFilters(search: CardsSearch): readonly ListFilter[] {
  const { time_zone } = useSession().program
  const nameOf = useTemplateName()
  const { data: facets = noFacets } = useQuery(cardFacetsQuery)
  const [chosen, setChosen] = useState<readonly string[]>([])

  const people = facets.people.map(({ id, name }) => ({ value: id, label: name }))
  const rare = [
    { type: "choice", key: "test", label: "Test", choices: tests },
    { type: "choice", key: "person", label: "Person", choices: people },
    { type: "choice", key: "origin", label: "Source", choices: origins },
    fullId("job", "Job"),
    fullId("member", "Member"),
  ] as const satisfies readonly ListFilter[]
  const isShown = ({ key }: (typeof rare)[number]) => search[key] !== undefined || chosen.includes(key)
  const more = rare.filter((filter) => !isShown(filter))

  const withStatus = facets.statuses.length > 1 || search.status !== undefined
  const filters: readonly (ListFilter | false)[] = [
    { type: "search", key: "search", label: "Recipient, id or reference" },
    {
      type: "custom",
      keys: ["expiring"],
      render: (set) => (
        <SegmentedControl
          aria-label="Order"
          value={search.expiring === undefined ? search.sort : "soon"}
          data={[
            { value: "newest", label: "Newest" },
            { value: "expiring", label: "Expiring soonest" },
            { value: "soon", label: `Within ${search.expiring ?? soonDays} days` },
          ]}
          onChange={(which) =>
            set({
              expiring: which === "soon" ? soonDays : undefined,
              sort: which === "newest" ? "newest" : "expiring",
            })
          }
        />
      ),
    },
    {
      type: "choice",
      key: "template",
      label: "Template",
      choices: facets.templates.map((value) => ({ value, label: nameOf(value) })),
    },
    withStatus && {
      type: "choice",
      key: "status",
      label: "Status",
      choices: facets.statuses.map((value) => ({
        value,
        label: <CardStatus card={{ status: value, is_test: null }} />,
      })),
    },
    { type: "days", label: "Issued", help: `Days in ${time_zone} time.` },
    ...rare.filter(isShown),
    more.length > 0 && {
      type: "custom",
      keys: [],
      render: () => (
        <ChoiceFilter
          label="More"
          value={undefined}
          choices={more.map(({ key, label }) => ({ value: key, label }))}
          onChange={(key) => key !== undefined && setChosen([...chosen, key])}
        />
      ),
    },
  ]
  return filters.filter((filter) => filter !== false)
}
