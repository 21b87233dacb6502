import { Button } from "@mantine/core"
import { useState } from "react"
import type { Carrier } from "../../../../contract/carriers.ts"
import { useChooseCarrier } from "../../../api/carriers.ts"
import { formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import type { CarrierQuestion } from "./carrier-of-row.ts"
import classes from "./tracking.module.css"

interface CarrierQuestionsProps {
  questions: readonly CarrierQuestion[]
  carriers: readonly Carrier[]
}

/** Carriers that only a person can tell, each shape of number asked once: the answer is remembered for the next time. */
export function CarrierQuestions({ questions, carriers }: CarrierQuestionsProps) {
  const choose = useChooseCarrier()
  if (questions.length === 0) return null
  return (
    <section className={classes.questions} aria-label="Carriers to choose">
      <h3>Which carrier are these?</h3>
      <p className="l-meta text-muted">
        Asked once for similar numbers. Without an answer they’re sent without a carrier.
      </p>
      {choose.error !== null && <ErrorNotice error={choose.error} what="Couldn’t save the carrier." />}
      {questions.map((question) => (
        <Question
          key={question.shape}
          question={question}
          carriers={carriers}
          busy={choose.isPending}
          onChoose={(carrier) => choose.mutate({ number: question.example, carrier })}
        />
      ))}
    </section>
  )
}

/** Carriers offered as buttons; the others follow on request. */
const atOnce = 3

interface QuestionProps {
  question: CarrierQuestion
  carriers: readonly Carrier[]
  busy: boolean
  onChoose: (code: string) => void
}

function Question({ question, carriers, busy, onChoose }: QuestionProps) {
  const [all, setAll] = useState(false)
  const offered = carriers.filter((each) => each.offered)
  const likely = question.carriers.flatMap((code) => offered.find((each) => each.code === code) ?? [])
  const shown = all ? [...new Set([...likely, ...offered])] : likely.slice(0, atOnce)
  const numbers = question.count === 1 ? "1 number" : `${formatCount(question.count)} numbers`
  return (
    <fieldset className={classes.question} aria-label={`${numbers} like ${question.example}`}>
      <div className={classes.like}>
        {numbers} like <span className="l-mono">{question.example}</span>
      </div>
      <div className={classes.choices}>
        {shown.map(({ code, name }) => (
          <Button key={code} size="xs" disabled={busy} onClick={() => onChoose(code)}>
            {name}
          </Button>
        ))}
        {!all && (
          <Button size="xs" variant="subtle" onClick={() => setAll(true)}>
            Another
          </Button>
        )}
      </div>
    </fieldset>
  )
}
