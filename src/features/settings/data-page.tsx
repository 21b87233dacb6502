import { Stack } from "@mantine/core"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import * as z from "zod/mini"
import { cacheSettings, retentionSettings, stockSettings } from "../../../contract/settings.ts"
import { sessionQuery, useSession } from "../../api/session.ts"
import { setting } from "../../api/settings.ts"
import { EraseMember } from "./erase-member.tsx"
import { ReadOnlyFacts, SettingsForm } from "./settings-layout.tsx"
import { TextField } from "../../forms/fields.tsx"
import { useAppForm } from "../../forms/form.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"

type Numbers<T = number> = Record<string, T>

// The session of every page includes the low stock threshold.
const stock = setting<Numbers>("stock", stockSettings, [sessionQuery.queryKey])
const cache = setting<Numbers>("cache", cacheSettings)
const retention = setting<Numbers>("retention", retentionSettings)

/** Settings for low stock, cache times and storage of captured addresses, and the erasing of people's data. */
export function DataSettingsPage() {
  const isAdmin = useSession().user.role === "admin"
  return (
    <Stack gap="xl" maw={480}>
      <NumbersSection
        title="Low stock"
        about="Rewards with so few pieces left appear under Needs attention."
        query={useQuery(stock.query)}
        save={stock.useSave()}
        schema={stockSettings}
        labels={{ low: "Low at or below, pieces" }}
        maySave
      />
      <NumbersSection
        title="Cached data"
        about="How many seconds a loaded response is shown before it is loaded again. Balances, stock and orders are always loaded before anything is changed."
        query={useQuery(cache.query)}
        save={cache.useSave()}
        schema={cacheSettings}
        labels={{
          members: "Members, seconds",
          rewards: "Rewards, seconds",
          leaderboards: "Leaderboards, seconds",
          orders: "Orders, seconds",
        }}
        maySave
      />
      <NumbersSection
        title="Captured addresses"
        about="Addresses entered when redeeming here are deleted after this time."
        query={useQuery(retention.query)}
        save={retention.useSave()}
        schema={retentionSettings}
        labels={{ address_days: "Keep for, days" }}
        maySave={isAdmin}
      />
      {isAdmin && <EraseMember />}
    </Stack>
  )
}

interface NumbersProps {
  readonly title: string
  readonly about: string
  readonly query: UseQueryResult<Numbers>
  readonly save: ReturnType<typeof stock.useSave>
  readonly schema: z.ZodMiniType<Numbers, Numbers>
  readonly labels: Numbers<string>
  readonly maySave: boolean
}

/** A settings document of integers, edited as text. */
function NumbersSection(props: NumbersProps) {
  const { title, about, query, labels, maySave } = props
  return (
    <Section title={title}>
      <p className="caption">{about}</p>
      <QueryState query={query} noun="settings" rows={1} columns={[120, 240]}>
        {(read) =>
          maySave ? (
            <NumbersForm {...props} read={read} />
          ) : (
            <ReadOnlyFacts
              items={Object.entries(labels).map(([name, label]) => [label, String(read[name])])}
              needs="admin"
            />
          )
        }
      </QueryState>
    </Section>
  )
}

function NumbersForm(props: NumbersProps & { read: Numbers }) {
  const { title, save, schema, labels, read } = props
  const form = useAppForm({ schema: () => z.pipe(typedNumbers, schema), values: textsOf(read) })
  return (
    <SettingsForm
      label={title}
      form={form}
      save={save}
      fieldsOf={textsOf}
      notDone="Couldn’t save the settings."
    >
      {Object.entries(labels).map(([name, label]) => (
        <TextField key={name} control={form.methods.control} name={name} label={label} />
      ))}
    </SettingsForm>
  )
}

const typedNumbers = z.pipe(
  z.record(z.string(), z.string()),
  z.transform((typed) =>
    Object.fromEntries(
      Object.entries(typed).map(([name, text]) => [name, text.trim() === "" ? NaN : Number(text)]),
    ),
  ),
)

function textsOf(numbers: Numbers): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]))
}
