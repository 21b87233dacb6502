import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { Carrier } from "../../../../contract/carriers.ts"
import { carriersQuery, recogniseQuery, useChooseCarrier } from "../../../api/carriers.ts"
import { ApiError } from "../../../api/errors.ts"
import { orderQuery } from "../../../api/orders.ts"
import { externalValue } from "../../../lib/external-value.ts"
import { newKey } from "../../../import/port/new-key.ts"
import { keepHeldOrder, readHeldOrder } from "../ship/held-order.ts"
import type { FlowPorts } from "../ship/flow/flow-ports.ts"
import { createShipFlow, type ShipFlow } from "../ship/flow/ship-flow.ts"
import type { Shipping } from "../ship/outbox/shipping.ts"
import { chime } from "./chime.ts"
import { knownOrder, knownOrders, type ToShip } from "./use-to-ship.ts"

/** How long a look-up may hold a parcel up, in ms: after that it counts as not looked up. */
const patience = 4000

/** What of the page the flow reads while it runs. */
interface Around {
  readonly toShip: ToShip
  readonly remember: (number: string, carrier: Carrier) => void
}

/** The flow of the ship desk on this page. The open order and the outbox outlive the page. */
export function useFlow(shipping: Shipping, toShip: ToShip): ShipFlow {
  const client = useQueryClient()
  const { mutate } = useChooseCarrier()
  const remember = (number: string, carrier: Carrier) => mutate({ number, carrier: carrier.code })
  const [around] = useState(() => externalValue<Around>({ toShip, remember }))
  useEffect(() => {
    around.set({ toShip, remember })
  })
  const [flow] = useState(() => createShipFlow(portsOf(client, shipping, around.get)))
  useEffect(() => {
    window.addEventListener("pagehide", flow.leave)
    return () => {
      window.removeEventListener("pagehide", flow.leave)
      flow.leave()
    }
  }, [flow])
  return flow
}

function portsOf(client: QueryClient, shipping: Shipping, around: () => Around): FlowPorts {
  return {
    outbox: shipping.outbox,
    loaded: () => knownOrders(around().toShip.rows, around().toShip.types),
    carriers: () =>
      (client.getQueryData(carriersQuery.queryKey)?.carriers ?? []).filter(({ offered }) => offered),
    isOffline: () => shipping.connection.lostAt.get() !== null,
    find: async (id) => {
      const query = orderQuery(id, { fresh: true })
      try {
        const { data } = await client.fetchQuery({ ...query, staleTime: 0, retry: false })
        return knownOrder(data, around().toShip.types)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }
    },
    recognise: async (number) => {
      const read = client.fetchQuery({ ...recogniseQuery([number]), retry: false })
      return (await inTime(read, shipping))[0]
    },
    used: (number, except) => inTime(shipping.calls.used(number, except), shipping),
    remember: (number, carrier) => around().remember(number, carrier),
    chime,
    held: {
      read: () => readHeldOrder(shipping.outbox.userId),
      keep: (held) => keepHeldOrder(shipping.outbox.userId, held),
    },
    newKey,
    now: Date.now,
  }
}

/** Waits a moment for an answer; none counts as a lost connection. */
async function inTime<T>(answer: Promise<T>, { connection }: Shipping): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("No response in time.")), patience)
  })
  try {
    return await Promise.race([answer, late])
  } catch (error) {
    if (!(error instanceof ApiError)) connection.lost()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
