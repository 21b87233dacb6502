import { useQuery } from "@tanstack/react-query"
import { roleNames, roleNeeded } from "../../../../contract/roles.ts"
import { cardCostsQuery, cardPairsQuery, cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { useCan } from "../../../api/session.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { NeedsRolePage } from "../needs-role-page.tsx"
import { SectionHead } from "../section-head.tsx"
import classes from "./cards-page.module.css"
import { CostsForm } from "./costs-form.tsx"
import { CostsFacts } from "./costs-facts.tsx"
import { RefusedPairs } from "./refused-pairs.tsx"
import { Templates } from "./templates.tsx"

/** What the desk knows about gift cards because somebody entered it, or the service's answers taught it. */
export function CardsSettingsPage() {
  return (
    <NeedsRolePage permission="cards.read" title="Gift cards">
      <Sections />
    </NeedsRolePage>
  )
}

function Sections() {
  const maySave = useCan("settings.program")
  const templates = useQuery(cardTemplatesQuery)
  const costs = useQuery(cardCostsQuery)
  const pairs = useQuery(cardPairsQuery)
  const failed = [templates, costs, pairs].find(({ error }) => error !== null)
  return (
    <div className={classes.page}>
      {!maySave && (
        <p className={classes.help}>
          Changing this requires the {roleNames[roleNeeded("settings.program")]} role.
        </p>
      )}
      {failed !== undefined && (
        <ErrorNotice
          error={failed.error}
          what="Couldn’t load the settings of gift cards."
          onRetry={() => void failed.refetch()}
        />
      )}
      <section aria-label="Templates and amounts">
        <SectionHead title="Templates and amounts" />
        <p className={classes.help}>The service doesn’t list them, so they’re kept here.</p>
        {templates.data === undefined ? (
          templates.error === null && <SkeletonRows rows={4} columns={[160, 120, 240]} />
        ) : (
          <Templates settings={templates.data} maySave={maySave} />
        )}
      </section>
      <section aria-label="Costs and fund">
        <SectionHead title="Costs and fund" />
        <p className={classes.help}>For forecasts only. Actual charges may differ.</p>
        {costs.data === undefined ? (
          costs.error === null && <SkeletonRows rows={3} columns={[160, 120]} />
        ) : maySave ? (
          <CostsForm costs={costs.data} />
        ) : (
          <CostsFacts costs={costs.data} />
        )}
      </section>
      <section aria-label="Refused amounts">
        <SectionHead title="Refused amounts" />
        <p className={classes.help}>Learned from the service’s responses. Issuing a card clears its entry.</p>
        {pairs.data === undefined ? (
          pairs.error === null && <SkeletonRows rows={2} columns={[160, 120, 240]} />
        ) : (
          <RefusedPairs pairs={pairs.data} templates={templates.data} maySave={maySave} />
        )}
      </section>
    </div>
  )
}
