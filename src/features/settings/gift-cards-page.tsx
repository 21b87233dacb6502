import { Box, SimpleGrid, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import * as z from "zod/mini"
import {
  type CardCosts,
  cardCosts,
  type CardPairs,
  firstLowFund,
  type CardTemplates,
} from "../../../contract/cards.ts"
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
import { ReadOnlyNote, SettingsForm } from "./settings-layout.tsx"
import { TextField } from "../../forms/fields.tsx"
import { useAppForm } from "../../forms/form.tsx"
import { centsOf, counted, formatMoney, readDollars } from "../../lib/format.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { Button } from "../../ui/button.tsx"

/** Gift card settings: entered by users, or learned from the service's responses. */
export function CardsSettingsPage() {
  const maySave = useCan("settings.program")
  const templates = useQuery(cardTemplatesQuery)
  // For roles that issue cards; the server refuses these requests to others.
  const issues = useCan("cards.issue")
  const costs = useQuery({ ...cardCostsQuery, enabled: issues })
  const pairs = useQuery({ ...cardPairsQuery, enabled: issues })
  return (
    <Stack gap="xl" maw={860}>
      {!maySave && <ReadOnlyNote />}
      <Section title="Templates and amounts">
        <p className="caption">The service doesn’t list them, so they’re kept here.</p>
        <QueryState query={templates} noun="card templates" rows={4} columns={[160, 120, 240]}>
          {(read) => <Templates settings={read} maySave={maySave} />}
        </QueryState>
      </Section>
      {issues && (
        <>
          <Section title="Costs and fund">
            <p className="caption">For forecasts only. Actual charges may differ.</p>
            <QueryState query={costs} noun="costs" rows={3} columns={[160, 120]}>
              {(read) => <CostsForm costs={read} />}
            </QueryState>
          </Section>
          <Section title="Refused amounts">
            <p className="caption">Learned from the service’s responses. Issuing a card clears its entry.</p>
            <QueryState query={pairs} noun="refused amounts" rows={2} columns={[160, 120, 240]}>
              {({ refused }) => (
                <RefusedPairs refused={refused} templates={templates.data} maySave={maySave} />
              )}
            </QueryState>
          </Section>
        </>
      )}
    </Stack>
  )
}

/** Costs of a card besides its face value, and the fund: entered manually, for forecasts. */
function CostsForm({ costs }: { costs: CardCosts }) {
  const { currency } = useSession().program
  const { data: fund } = useQuery(cardFundQuery)
  const form = useAppForm({ schema: () => costsSchema(costs, Date.now), values: costsFields(costs) })
  const { control } = form.methods
  const fundHelp =
    fund === undefined || fund.entered_at === null || fund.left_cents === null ? (
      "As shown in the dashboard. Cards issued here afterwards are subtracted."
    ) : (
      <>
        Entered <RelativeTime at={fund.entered_at} />. {counted(fund.cards, "card")} since drew{" "}
        {formatMoney(fund.drawn_cents, currency)}: {formatMoney(fund.left_cents, currency)} left.
      </>
    )
  return (
    <Box maw={480}>
      <SettingsForm
        label="Costs and fund"
        form={form}
        save={useSaveCardCosts()}
        fieldsOf={costsFields}
        notDone="Costs and fund were not saved."
      >
        <TextField control={control} name="fee" label={`Fee per card, ${currency}`} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          <TextField control={control} name="gst" label="GST on the fee, percent" />
          <TextField control={control} name="faceGst" label="GST on the face value, percent" />
        </SimpleGrid>
        <TextField
          control={control}
          name="fund"
          label={`In the fund now, ${currency}`}
          optional
          help={fundHelp}
        />
        <TextField
          control={control}
          name="low"
          label={`Low below, ${currency}`}
          help="Then it appears under Needs attention."
        />
      </SettingsForm>
    </Box>
  )
}

const costsValues = z.object({
  fee: z.string(),
  gst: z.string(),
  faceGst: z.string(),
  fund: z.string(),
  low: z.string(),
})
type CostsValues = z.output<typeof costsValues>

function costsFields({
  fee_cents,
  gst_percent,
  face_gst_percent = 0,
  fund_cents,
  low_cents = firstLowFund,
}: CardCosts): CostsValues {
  return {
    fee: (fee_cents / 100).toFixed(2),
    gst: String(gst_percent),
    faceGst: String(face_gst_percent),
    fund: fund_cents === null ? "" : (fund_cents / 100).toFixed(2),
    low: (low_cents / 100).toFixed(2),
  }
}

/** The form's schema. A changed fund is the current amount: cards issued from then on are subtracted. */
function costsSchema(before: CardCosts, now: () => number): z.ZodMiniType<CardCosts, CostsValues> {
  return z.pipe(
    costsValues.check(({ value, issues }) => {
      const problem = (field: string, message: string) =>
        issues.push({ code: "custom", path: [field], message, input: value })
      if (Number.isNaN(readDollars(value.fee))) problem("fee", "Enter an amount such as 2.50, or 0 for none.")
      if (Number.isNaN(readDollars(value.low))) problem("low", "Enter an amount such as 500, or 0 for never.")
      for (const field of ["gst", "faceGst"] as const) {
        const typed = value[field].trim()
        if (!/^\d{1,3}(\.\d+)?$/.test(typed) || Number(typed) > 100) problem(field, "Enter 0 to 100 percent.")
      }
      if (value.fund.trim() !== "" && Number.isNaN(readDollars(value.fund))) {
        problem("fund", "Enter an amount such as 12,500.00, or leave empty.")
      }
    }),
    z.transform(({ fee, gst, faceGst, fund, low }) => {
      const fundCents = fund.trim() === "" ? null : centsOf(readDollars(fund))
      const same = fund.trim() === costsFields(before).fund
      const enteredAt = fundCents === null ? null : new Date(now()).toISOString()
      return cardCosts.parse({
        fee_cents: centsOf(readDollars(fee)),
        gst_percent: Number(gst),
        face_gst_percent: Number(faceGst),
        fund_cents: fundCents,
        fund_at: same ? before.fund_at : enteredAt,
        low_cents: centsOf(readDollars(low)),
      })
    }),
  )
}

/** Template amounts that the service refused: they are not requested again without a confirmation. */
function RefusedPairs(props: {
  refused: readonly RefusedPair[]
  templates: CardTemplates | undefined
  maySave: boolean
}) {
  const { refused, templates, maySave } = props
  const { currency } = useSession().program
  const forget = useForgetPair()
  if (refused.length === 0)
    return <p className="caption">None. The service hasn’t refused any amounts yet.</p>
  const nameOf = (id: string) => templates?.templates.find((template) => template.id === id)?.name ?? id
  const amountOf = (pair: RefusedPair) => formatMoney(centsOf(pair.denomination), currency)
  const columns: readonly DataColumn<RefusedPair>[] = [
    { label: "Card", cell: ({ card_id: id }) => <span title={id}>{nameOf(id)}</span> },
    { label: "Amount", end: true, cell: amountOf },
    {
      label: "Service message",
      cell: ({ message, code }) => (
        <>
          {message} <span className="l-meta text-muted l-mono">{code}</span>
        </>
      ),
    },
    { label: "When", cell: ({ at }) => <RelativeTime at={at} className="text-muted" /> },
  ]
  const actions: DataColumn<RefusedPair> = {
    label: "Actions",
    quiet: true,
    end: true,
    cell: (pair) => (
      <Button
        size="xs"
        aria-label={`Remove ${amountOf(pair)} for ${nameOf(pair.card_id)}`}
        loading={forget.isPending && forget.variables === pair}
        disabled={forget.isPending && forget.variables !== pair}
        onClick={() => forget.mutate(pair)}
      >
        Forget
      </Button>
    ),
  }
  return (
    <>
      <ErrorNotice error={forget.error} what="Couldn’t remove the entry." />
      <div className="scroll">
        <DataTable
          label="Refused amounts"
          columns={maySave ? [...columns, actions] : columns}
          rows={refused}
          keyOf={(pair) => `${pair.card_id} ${pair.denomination}`}
        />
      </div>
    </>
  )
}

type RefusedPair = CardPairs["refused"][number]
