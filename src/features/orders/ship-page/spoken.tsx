import { VisuallyHidden } from "@mantine/core"
import type { FlowState } from "../ship/flow/flow-state.ts"
import { spokenStep, spokenWords } from "./step-words.ts"

/** Says aloud what came of a scan and what is asked next: at once what was refused, in its turn what went well. */
export function Spoken({ state }: { state: FlowState }) {
  const { step, result, turn } = state
  const refused = result?.type === "refused"
  const asked = step.at !== "order" && step.at !== "parcel"
  const words = result === null ? "" : spokenWords(result)
  return (
    <VisuallyHidden>
      <div role="alert">
        {refused && !asked && <span key={turn}>{words}</span>}
        {asked && <span>{spokenStep(step)}</span>}
      </div>
      <output>
        {!refused && !asked && <span key={turn}>{words}</span>}
        {!asked && <span>{spokenStep(step)}</span>}
      </output>
    </VisuallyHidden>
  )
}
