import { formatCount } from "../../../lib/format.ts"
import { DownloadDialog } from "../../../ui/download.tsx"
import { isFiltered } from "../search.ts"
import { cardsTask } from "./cards-task.ts"
import type { CardList } from "./use-card-list.ts"

/** Downloads the register as the page's filters narrow it. */
export function CardsExport({ list, onClose }: { list: CardList; onClose: () => void }) {
  const { total, filter, search } = list
  const narrowed = isFiltered(search)
  return (
    <DownloadDialog
      title="Download the register"
      action={total === undefined ? "Download" : `Download ${formatCount(total)} cards`}
      ready={total !== 0}
      task={() => cardsTask(filter, total)}
      onClose={onClose}
    >
      <p className="text-secondary">
        A CSV file with {narrowed ? "the cards that match the filters in use" : "every card in the register"}.
        It holds names and e-mails and never a redeem link; that you exported it is in the audit log. It comes
        from Laurel’s own database and uses no service requests.
      </p>
    </DownloadDialog>
  )
}
