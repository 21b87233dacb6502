import { useEffect, useState } from "react"
import { shippingOf, type Shipping } from "../ship/outbox/shipping.ts"

/** The outbox of whoever is signed in; `error` when what the browser kept of it cannot be read. */
export function useShipping(userId: string): { shipping: Shipping | undefined; error: unknown } {
  const [opened, setOpened] = useState<{ shipping?: Shipping; error?: unknown }>({})
  useEffect(() => {
    let wanted = true
    shippingOf(userId)
      .then((shipping) => {
        if (wanted) setOpened({ shipping })
        shipping.poke()
        return undefined
      })
      .catch((error: unknown) => {
        if (wanted) setOpened({ error })
      })
    return () => {
      wanted = false
    }
  }, [userId])
  return { shipping: opened.shipping, error: opened.error }
}
