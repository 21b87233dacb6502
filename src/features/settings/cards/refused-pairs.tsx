import { Button } from "@mantine/core"
import type { CardPairs, CardTemplates } from "../../../../contract/cards.ts"
import { useForgetPair } from "../../../api/gift-cards.ts"
import { useSession } from "../../../api/session.ts"
import { centsOf, formatMoney } from "../../../lib/format.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import heads from "../../../ui/table-head.module.css"
import tables from "../table.module.css"
import classes from "./cards-page.module.css"

interface RefusedPairsProps {
  pairs: CardPairs
  /** For their names; undefined while they are read. */
  templates: CardTemplates | undefined
  maySave: boolean
}

/** Templates and amounts that the service refused: they are not asked for again without a confirm. */
export function RefusedPairs({ pairs: { refused }, templates, maySave }: RefusedPairsProps) {
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
        <table className={tables.table}>
          <thead className={heads.head}>
            <tr>
              <th scope="col">Card</th>
              <th scope="col" className={tables.end}>
                Amount
              </th>
              <th scope="col" className={tables.after}>
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
                  <td className={tables.end}>{amount}</td>
                  <td className={tables.after}>
                    {pair.message} <span className="l-meta text-muted l-mono">{pair.code}</span>
                  </td>
                  <td className="text-muted">
                    <RelativeTime at={pair.at} />
                  </td>
                  {maySave && (
                    <td className={tables.end}>
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
