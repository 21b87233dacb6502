import { Button, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import { cardFacetsQuery, cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { explain } from "../../../api/errors.ts"
import { Notice } from "../../../ui/notice.tsx"
import { useTemplateName } from "../show/use-template-name.ts"
import classes from "./look-up.module.css"

interface TemplateChoiceProps {
  reference: string
  /** The service's word that several cards have it; absent where another template is offered. */
  error?: unknown
  onChoose: (template: string) => void
}

/** A reference is unique within one template only: the person says in which one to look. */
export function TemplateChoice({ reference, error, onChoose }: TemplateChoiceProps) {
  const { data: settings } = useQuery(cardTemplatesQuery)
  const { data: facets } = useQuery(cardFacetsQuery)
  const nameOf = useTemplateName()
  const [other, setOther] = useState("")
  const known = new Set([...(settings?.templates.map(({ id }) => id) ?? []), ...(facets?.templates ?? [])])
  const words = error === undefined ? undefined : explain(error)
  return (
    <>
      {words !== undefined && (
        <Notice tone="warning" title={words.title} detail={words.detail}>
          {`More than one template has a card with the reference “${reference}”. Choose the template.`}
        </Notice>
      )}
      <fieldset className={classes.choices}>
        <legend className="l-medium">Choose a template</legend>
        {[...known].map((id) => (
          <Button key={id} size="md" onClick={() => onChoose(id)} justify="flex-start">
            {nameOf(id)}
          </Button>
        ))}
        <div className={classes.other}>
          <TextInput
            size="md"
            label="Another template id"
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.cardReference}
            value={other}
            onChange={(event) => setOther(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || other.trim() === "") return
              // The field stands in the drawer's form, whose Enter looks the reference up anew.
              event.preventDefault()
              onChoose(other.trim())
            }}
          />
          <Button size="md" disabled={other.trim() === ""} onClick={() => onChoose(other.trim())}>
            Look up in this template
          </Button>
        </div>
      </fieldset>
    </>
  )
}
