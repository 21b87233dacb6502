import { Box, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { memberFacetsQuery } from "../../../api/members.ts"
import { type ListFilter, PanelFilter, TextChoice } from "../../../lists/list-filters.tsx"
import { Button } from "../../../ui/button.tsx"

/** Members by the value of one custom field; `names`: those that members have. */
export function fieldFilter(names: readonly string[]): ListFilter {
  return {
    type: "custom",
    keys: ["field", "value"],
    render: (set, { field, value }) => {
      const name = typeof field === "string" ? field : undefined
      const used = typeof value === "string" ? value : undefined
      return (
        <PanelFilter
          label={name ?? "Custom field"}
          value={name === undefined ? undefined : (used ?? "Any value")}
          onRemove={() => set({ field: undefined, value: undefined })}
        >
          {(close) => (
            <FieldChoice
              names={names}
              name={name}
              value={used ?? ""}
              onChoose={(chosen) => {
                set(chosen)
                close()
              }}
            />
          )}
        </PanelFilter>
      )
    },
  }
}

/** Chooses a custom field, and then its value. */
function FieldChoice(props: {
  names: readonly string[]
  name: string | undefined
  value: string
  onChoose: (chosen: { field: string; value: string | undefined }) => void
}) {
  const { names, value, onChoose } = props
  const [name, setName] = useState(props.name)
  if (name === undefined) {
    return (
      <Box component="ul" miw={176} mah={320} m={-12} className="scroll">
        {names.map((each) => (
          <li key={each}>
            <Button variant="choice" onClick={() => setName(each)}>
              {each}
            </Button>
          </li>
        ))}
      </Box>
    )
  }
  return (
    <Stack gap={12}>
      <ValueChoice
        name={name}
        value={name === props.name ? value : ""}
        onChoose={(text) => onChoose({ field: name, value: text || undefined })}
      />
      <div>
        <Button size="xs" variant="subtle" onClick={() => setName(undefined)}>
          Choose another field
        </Button>
      </div>
    </Stack>
  )
}

function ValueChoice(props: { name: string; value: string; onChoose: (text: string) => void }) {
  const { name, value, onChoose } = props
  const { data } = useQuery(memberFacetsQuery({ field: name }))
  const seen = data?.data.field_values.map((each) => ({ value: each.value, label: each.value })) ?? []
  return (
    <TextChoice
      label={name}
      value={value}
      seen={seen}
      help="The most frequent values. You can type any other; leave it empty for members with any value."
      onChoose={onChoose}
    />
  )
}
