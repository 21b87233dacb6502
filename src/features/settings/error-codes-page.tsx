import { CloseButton, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { catalogue, type CatalogueEntry, ownerNames } from "../../../contract/error-catalogue.ts"
import { apis } from "../../../contract/response.ts"
import { serviceNames } from "./settings-layout.tsx"
import { counted } from "../../lib/format.ts"
import { catalogueStep } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"

const route = getRouteApi("/_app/settings/errors")

/** Every documented error of both services: what happened, who can fix it, the next step. */
export function ErrorCodesPage() {
  const { find: linked = "" } = route.useSearch()
  const navigate = route.useNavigate()
  // Local state, since the field would drop letters if it waited for the URL.
  const [find, setFind] = useState(linked)
  const filter = (words: string) => {
    setFind(words)
    void navigate({ search: { find: words || undefined }, replace: true })
  }
  const found = catalogue.filter((entry) => matches(entry, find))
  return (
    <>
      <TextInput
        type="search"
        aria-label="Filter the error codes"
        placeholder="Code, status or text"
        maw={320}
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        rightSection={
          find !== "" && <CloseButton size="sm" aria-label="Clear the filter" onClick={() => filter("")} />
        }
        value={find}
        onChange={({ currentTarget }) => filter(currentTarget.value)}
      />
      {found.length === 0 && (
        <EmptyState
          icon={IconSearch}
          title={`No error codes match “${find}”`}
          help="The filter covers codes, statuses and explanations."
        />
      )}
      {apis.map((api) => {
        const own = found.filter((entry) => entry.api === api)
        if (own.length === 0) return null
        return (
          <Section key={api} title={serviceNames[api]} end={counted(own.length, "code")}>
            <ul className={`ruled line-above ${classes.errors}`}>
              {own.map((entry) => (
                <ErrorEntry key={`${entry.status} ${entry.code}`} entry={entry} />
              ))}
            </ul>
          </Section>
        )
      })}
    </>
  )
}

function ErrorEntry({ entry }: { entry: CatalogueEntry }) {
  const { status, code, title, happened, whose, next, systemic } = entry
  const step = catalogueStep(entry.action)
  return (
    <li>
      <div className="wrap-anywhere">
        <code className="l-mono">{code ?? "no code"}</code> <span className="text-muted l-num">{status}</span>
      </div>
      <div>
        <h3>{title}</h3>
        <p className="text-secondary">{happened}</p>
        <p className="text-secondary">
          <span className="l-medium">Next:</span> {next}
        </p>
        {systemic && (
          <p className="text-muted">It affects every further request too, so a job pauses after the first.</p>
        )}
      </div>
      <div className="text-secondary">
        <div className="caption">Who fixes this</div>
        {ownerNames[whose]}
        {step && <p>{step}</p>}
      </div>
    </li>
  )
}

function matches(entry: CatalogueEntry, typed: string): boolean {
  const { status, code, title, happened, whose, next } = entry
  const text = [status, code ?? "", title, happened, whose, next].join(" ").toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
