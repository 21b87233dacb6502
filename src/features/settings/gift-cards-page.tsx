import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useFormState } from "react-hook-form"
import * as z from "zod/mini"
import { type CardCosts, cardCosts, type CardPairs, type CardTemplates } from "../../../contract/cards.ts"
import { roleNames, roleNeeded } from "../../../contract/roles.ts"
import {
  cardCostsQuery,
  cardFundQuery,
  cardPairsQuery,
  cardTemplatesQuery,
  useForgetPair,
  useSaveCardCosts,
} from "../../api/gift-cards.ts"
import { useCan, useSession } from "../../api/session.ts"
import { Templates } from "./card-templates.tsx"
import { Facts, NeedsRolePage, SectionHead } from "./settings-parts.tsx"
import { InlineForm, useAppForm } from "../../forms/form.tsx"
import { TextField } from "../../forms/fields.tsx"
import { centsOf, formatCount, formatMoney, readDollars } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"
import heads from "../../ui/table-head.module.css"

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

/** The same for those who may not change it. */
function CostsFacts({ costs: { fee_cents, gst_percent, fund_cents } }: { costs: CardCosts }) {
  const { currency } = useSession().program
  return (
    <Facts
      rows={[
        ["Fee per card", formatMoney(fee_cents, currency)],
        ["GST on the fee", `${gst_percent} %`],
        ["Fund", fund_cents === null ? "not entered" : formatMoney(fund_cents, currency)],
      ]}
    />
  )
}

/** What a card costs beyond its face value, and what is in the fund: entered by hand, for forecasts. */
function CostsForm({ costs }: { costs: CardCosts }) {
  const { currency } = useSession().program
  const save = useSaveCardCosts()
  const form = useAppForm<CostsValues, CardCosts>({
    schema: costsSchema(costs, Date.now),
    values: costsFields(costs),
  })
  const { control, reset } = form.methods
  const { isDirty } = useFormState({ control })
  return (
    <div className={classes.costs}>
      <InlineForm
        label="Costs and fund"
        form={form}
        onSubmit={async (entered) => reset(costsFields(await save.mutateAsync(entered)))}
        submitError={save.error}
        busy={save.isPending}
        notDone="Costs and fund were not saved."
        action="Save"
        running="Saving"
        aside={<output className={classes.saved}>{save.isSuccess && !isDirty && "Saved."}</output>}
      >
        <div className={classes.two}>
          <TextField control={control} name="fee" label={`Fee per card, ${currency}`} />
          <TextField control={control} name="gst" label="GST on the fee, percent" />
        </div>
        <TextField
          control={control}
          name="fund"
          label={`In the fund now, ${currency}`}
          optional
          help={<FundHelp currency={currency} />}
        />
      </InlineForm>
    </div>
  )
}

/** When it was entered, and what is left of it by the cards issued here since. */
function FundHelp({ currency }: { currency: string }) {
  const { data: fund } = useQuery(cardFundQuery)
  const none = "As shown in the dashboard. Cards issued here afterwards are subtracted."
  if (fund === undefined || fund.entered_at === null || fund.left_cents === null) return none
  return (
    <>
      Entered <RelativeTime at={fund.entered_at} />. {formatCount(fund.cards)}{" "}
      {fund.cards === 1 ? "card" : "cards"} since drew {formatMoney(fund.drawn_cents, currency)}:{" "}
      {formatMoney(fund.left_cents, currency)} left.
    </>
  )
}

/** What the form of costs holds, as typed; an empty fund is one that nobody entered. */
const costsValues = z.object({ fee: z.string(), gst: z.string(), fund: z.string() })
/** What the form of costs holds. */
type CostsValues = z.output<typeof costsValues>

/** The fields of costs that were saved. */
function costsFields({ fee_cents, gst_percent, fund_cents }: CardCosts): CostsValues {
  return {
    fee: (fee_cents / 100).toFixed(2),
    gst: String(gst_percent),
    fund: fund_cents === null ? "" : (fund_cents / 100).toFixed(2),
  }
}

/**
 * The form's rules. A fund that was typed anew is what is in it now: the cards issued from then on are taken off it.
 * @param before what was saved
 * @param now ms
 */
function costsSchema(before: CardCosts, now: () => number): z.ZodMiniType<CardCosts, CostsValues> {
  return z.pipe(
    costsValues.check(({ value, issues }) => {
      const problem = (field: string, message: string) =>
        issues.push({ code: "custom", path: [field], message, input: value })
      if (Number.isNaN(readDollars(value.fee))) problem("fee", "Enter an amount such as 2.50, or 0 for none.")
      if (!/^\d{1,3}(\.\d+)?$/.test(value.gst.trim()) || Number(value.gst) > 100) {
        problem("gst", "Enter 0 to 100 percent.")
      }
      if (value.fund.trim() !== "" && Number.isNaN(readDollars(value.fund))) {
        problem("fund", "Enter an amount such as 12,500.00, or leave empty.")
      }
    }),
    z.transform((value) => costsOf(value, before, now())),
  )
}

function costsOf({ fee, gst, fund }: CostsValues, before: CardCosts, now: number): CardCosts {
  const fundCents = fund.trim() === "" ? null : centsOf(readDollars(fund))
  const same = fund.trim() === costsFields(before).fund
  return cardCosts.parse({
    fee_cents: centsOf(readDollars(fee)),
    gst_percent: Number(gst),
    fund_cents: fundCents,
    fund_at: same ? before.fund_at : fundCents === null ? null : new Date(now).toISOString(),
  })
}

interface RefusedPairsProps {
  pairs: CardPairs
  /** For their names; undefined while they are read. */
  templates: CardTemplates | undefined
  maySave: boolean
}

/** Templates and amounts that the service refused: they are not asked for again without a confirm. */
function RefusedPairs({ pairs: { refused }, templates, maySave }: RefusedPairsProps) {
  const { currency } = useSession().program
  const forget = useForgetPair()
  const nameOf = (id: string) => templates?.templates.find((template) => template.id === id)?.name ?? id
  if (refused.length === 0) {
    return <p className={classes.help}>None. The service hasn’t refused any amounts yet.</p>
  }
  return (
    <>
      {forget.error !== null && <ErrorNotice error={forget.error} what="Couldn’t remove the entry." />}
      <div className={classes.scroller}>
        <table className={classes.table}>
          <thead className={heads.head}>
            <tr>
              <th scope="col">Card</th>
              <th scope="col" className={classes.tableEnd}>
                Amount
              </th>
              <th scope="col" className={classes.after}>
                Service message
              </th>
              <th scope="col">When</th>
              {maySave && (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {refused.map((pair) => {
              const amount = formatMoney(centsOf(pair.denomination), currency)
              return (
                <tr key={`${pair.card_id} ${pair.denomination}`}>
                  <td title={pair.card_id}>{nameOf(pair.card_id)}</td>
                  <td className={classes.tableEnd}>{amount}</td>
                  <td className={classes.after}>
                    {pair.message} <span className="l-meta text-muted l-mono">{pair.code}</span>
                  </td>
                  <td className="text-muted">
                    <RelativeTime at={pair.at} />
                  </td>
                  {maySave && (
                    <td className={classes.tableEnd}>
                      <Button
                        size="xs"
                        aria-label={`Remove ${amount} for ${nameOf(pair.card_id)}`}
                        loading={forget.isPending && forget.variables === pair}
                        disabled={forget.isPending}
                        onClick={() => forget.mutate(pair)}
                      >
                        Forget
                      </Button>
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
