import type { AuditFilter } from "../../../api/audit.ts"
import { DownloadDialog } from "../../../ui/download.tsx"
import { auditTask } from "./audit-task.ts"

interface AuditExportProps {
  filter: AuditFilter
  onClose: () => void
}

/** Downloads the audit log as the page's filters narrow it. */
export function AuditExport({ filter, onClose }: AuditExportProps) {
  const narrowed = Object.keys(filter).length > 0
  return (
    <DownloadDialog
      title="Download the audit log"
      action={narrowed ? "Download these entries" : "Download every entry"}
      task={() => auditTask(filter)}
      onClose={onClose}
    >
      <p className="text-secondary">
        A CSV file with {narrowed ? "the entries that match the filters in use" : "every entry you can view"},
        newest first. It comes from Laurel’s own database and uses no service requests.
      </p>
    </DownloadDialog>
  )
}
