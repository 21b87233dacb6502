import { lazy, Suspense } from "react"
import type { CardList } from "./use-card-list.ts"

const LookUpDrawer = lazy(async () => ({
  default: (await import("../look-up-drawer.tsx")).LookUpDrawer,
}))
const RevealDialog = lazy(async () => ({
  default: (await import("../reveal-dialog.tsx")).RevealDialog,
}))
const CardsExport = lazy(async () => ({ default: (await import("./cards-export.tsx")).CardsExport }))

/** What opens above the register: the address says which. */
export function CardsDialogs({ list }: { list: CardList }) {
  const { open, card } = list.search
  return (
    <Suspense>
      {open === "look-up" && <LookUpDrawer onClose={list.close} />}
      {open === "reveal" && card !== undefined && <RevealDialog cardId={card} onClose={list.close} />}
      {open === "export" && <CardsExport list={list} onClose={list.close} />}
    </Suspense>
  )
}
