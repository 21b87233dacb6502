import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ApiError } from "../../../api/errors.ts"
import { foundCardQuery } from "../../../api/gift-cards.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { FoundFacts } from "./found-facts.tsx"
import classes from "./look-up.module.css"
import { RegisterState } from "./register-state.tsx"
import { TemplateChoice } from "./template-choice.tsx"

interface FoundCardProps {
  find: string
  template: string | undefined
  onTemplate: (template: string) => void
}

/** What the service answers to a look-up: the card, several cards, none, or why it could not be asked. */
export function FoundCard({ find, template, onTemplate }: FoundCardProps) {
  const { data, error, isPending, refetch } = useQuery(foundCardQuery(find, template))
  if (isPending) return <SkeletonRows rows={5} columns={[120, 200]} />
  if (error !== null) {
    if (isAmbiguous(error)) return <TemplateChoice reference={find} error={error} onChoose={onTemplate} />
    if (isUnknown(error)) return <NotThere find={find} template={template} onTemplate={onTemplate} />
    return <ErrorNotice error={error} what="Couldn’t look up the card." onRetry={() => void refetch()} />
  }
  return (
    <div className={classes.found}>
      <FoundFacts card={data.data} />
      <RegisterState cardId={data.data.id} />
    </div>
  )
}

function isAmbiguous(error: unknown): error is ApiError {
  return error instanceof ApiError && error.details?.upstream_code === "AMBIGUOUS_EXTERNAL_REF"
}

/** The status of an unknown id is not shown in the document: any refusal of this request without a code is one. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.details?.api !== "giftcard") return false
  const { upstream_status: status = 0, upstream_code: code } = error.details
  if (status === 404) return true
  return !code && status >= 400 && status < 500 && ![401, 402, 403, 408, 429].includes(status)
}

function NotThere({ find, template, onTemplate }: FoundCardProps) {
  return (
    <>
      <Notice
        tone="danger"
        title={`The service has no card “${find}”${template === undefined ? "" : " there"}`}
        action={
          <Link to="/cards" search={{ search: find }} className="l-link">
            Search the register
          </Link>
        }
      >
        {template === undefined
          ? "It was looked up as a card id and as a reference. Check the spelling. Your own references may be in the register only."
          : `Not in template ${template}. The reference may belong to another template.`}
      </Notice>
      {template !== undefined && <TemplateChoice reference={find} onChoose={onTemplate} />}
    </>
  )
}
