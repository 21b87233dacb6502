import { useSession } from "../../../api/session.ts"
import { formatMoney } from "../../../lib/format.ts"

/** An amount in the program's currency; nothing where it is not known. */
export function CardMoney({ cents }: { cents: number | null }) {
  const { currency } = useSession().program
  return cents === null ? null : <span className="l-num">{formatMoney(cents, currency)}</span>
}
