import { Button } from "@mantine/core"
import type { ShipFlow } from "../ship/flow/ship-flow.ts"
import type { Step } from "../ship/flow/flow-state.ts"
import { orderQuestionWords, parcelQuestionWords } from "./step-words.ts"
import { Strip } from "./strip.tsx"
import classes from "./strip.module.css"

interface QuestionStripProps {
  step: Exclude<Step, { at: "order" } | { at: "parcel" }>
  flow: ShipFlow
}

/** What a person is asked before it goes on; answered by one key. */
export function QuestionStrip({ step, flow }: QuestionStripProps) {
  if (step.at === "carrier") return <CarrierQuestion step={step} flow={flow} />
  const { title, text, yes, no } = questionWords(step)
  return (
    <Strip
      tone="question"
      title={title}
      end={
        <>
          <Button onClick={() => flow.answer(true)} rightSection={<kbd>Y</kbd>}>
            {yes}
          </Button>
          <Button onClick={() => flow.answer(false)} rightSection={<kbd>N</kbd>}>
            {no}
          </Button>
        </>
      }
    >
      {text}
    </Strip>
  )
}

function questionWords(step: Exclude<QuestionStripProps["step"], { at: "carrier" }>) {
  switch (step.at) {
    case "order-question":
      return { ...orderQuestionWords(step), yes: "Ship it", no: "Leave it" }
    case "parcel-question":
      return { ...parcelQuestionWords(step), yes: "Save it", no: "Put the order back" }
    default:
      return {
        title: `${step.other} already has the number ${step.found.number}`,
        text: "Press Y, or scan this order again, if both orders are in one parcel. Press N to scan another number.",
        yes: "One parcel",
        no: "Scan again",
      }
  }
}

function CarrierQuestion({ step, flow }: { step: Extract<Step, { at: "carrier" }>; flow: ShipFlow }) {
  const { found, choices } = step
  return (
    <Strip tone="question" title={`Which carrier is ${found.number}?`}>
      {found.unchecked.includes("carrier")
        ? "It can’t be looked up now. Press 0 to decide when you’re back online."
        : found.candidates.length > 0
          ? "Several carriers match. Your choice is remembered for similar numbers."
          : "No carrier matches. Your choice is remembered for similar numbers."}
      <span className={classes.choices}>
        {choices.map((carrier, at) => (
          <Button key={carrier.code} onClick={() => flow.choose(carrier)} rightSection={<kbd>{at + 1}</kbd>}>
            {carrier.name}
          </Button>
        ))}
        <Button onClick={() => flow.choose(null)} rightSection={<kbd>0</kbd>}>
          {found.unchecked.includes("carrier") ? "Later" : "No carrier"}
        </Button>
      </span>
    </Strip>
  )
}
