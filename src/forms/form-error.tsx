import { ErrorNotice } from "../ui/error-notice.tsx"
import { Notice } from "../ui/notice.tsx"
import { homelessProblems, problemsOf } from "./server-problems.ts"

interface FormErrorProps {
  error: Error | null
  /** What was not done: "The member was not created." */
  what: string
  /** Names of the form's fields: what the server found wrong with those stands there. */
  fields: readonly string[]
}

/** The form's own error: what no field can show. */
export function FormError({ error, what, fields }: FormErrorProps) {
  if (error === null) return null
  const homeless = homelessProblems(error, fields)
  if (problemsOf(error).length === 0) return <ErrorNotice error={error} what={what} />
  return (
    <Notice tone="danger" title={what}>
      {homeless.length === 0
        ? "Check the marked fields."
        : homeless.map((problem) => `${problem.field}: ${problem.message}`).join(" ")}
    </Notice>
  )
}
