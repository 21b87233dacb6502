import { Button } from "@mantine/core"
import { shipmentOf, type Order } from "../../../../contract/program/order.ts"
import { Notice } from "../../../ui/notice.tsx"
import { statusWord } from "../../../ui/status.tsx"

interface ChangedMeanwhileProps {
  /** As the form was begun. */
  seen: Order
  /** As it was read since. */
  now: Order
  onTake: () => void
}

/** The order was read again and is another now: the form goes on from there on the person's word only. */
export function ChangedMeanwhile({ seen, now, onTake }: ChangedMeanwhileProps) {
  const said = fieldsOf(now).filter(
    ([name, value]) => fieldsOf(seen).find(([other]) => other === name)?.[1] !== value,
  )
  if (said.length === 0) return null
  return (
    <Notice
      tone="warning"
      title="The order changed while this was open"
      action={
        <Button size="xs" onClick={onTake}>
          Continue from the latest version
        </Button>
      }
    >
      Now {said.map(([name, value]) => `${name} ${value}`).join(", ")}. Your change is compared with what you
      saw, so nothing is overwritten by accident.
    </Notice>
  )
}

function fieldsOf(order: Order): [string, string][] {
  const { tracking_number = "none", carrier = "none" } = shipmentOf(order)
  return [
    ["status", order.status ? statusWord("order", order.status).word : "none"],
    ["tracking number", tracking_number],
    ["carrier", carrier],
  ]
}
