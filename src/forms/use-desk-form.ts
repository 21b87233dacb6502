import { zodResolver } from "@hookform/resolvers/zod"
import { useEffect, useRef, useState } from "react"
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from "react-hook-form"

import type * as z from "zod/mini"
import { dropDraft, keepDraft, readDraft } from "./draft-store.ts"
import { sameValue } from "./same-value.ts"

/** What a form is made of. `I` is what the fields hold, `O` what is sent. */
export interface DeskFormOptions<I extends FieldValues, O> {
  /** From the fields to what is sent; its problems stand at the fields. */
  readonly schema: z.ZodMiniType<O, I>
  /** What the fields hold when nobody has typed. */
  readonly values: I & DefaultValues<I>
  /** What the fields begin with when somebody has typed already, in a form before this one. */
  readonly typed?: I | undefined
  /** Keeps what is typed for a reload of this tab. Left out: it lasts as long as the page. */
  readonly draft?: {
    /** Names the form, the record and the person, so that nobody meets another's draft. */
    readonly key: string
    readonly shape: z.ZodMiniType<I>
  }
}

/** A form and its draft. */
export interface DeskForm<I extends FieldValues, O> {
  readonly methods: UseFormReturn<I, unknown, O>
  /** What somebody typed before a reload stands in the fields again. */
  readonly restored: boolean
  /** Back to the first values; the draft is gone. */
  readonly startOver: () => void
  /** It was sent, or is given up: the draft is gone. */
  readonly dropDraft: () => void
  /** The record is another now: it is what changes are counted from. `typed` stays in the fields, if given. */
  readonly rebase: (values: I, typed?: I) => void
  /** Whether a draft survives a reload. */
  readonly keepsDraft: boolean
}

/** A form whose fields mirror the screen, checked by a schema when it is sent, with a draft that survives a reload. */
export function useDeskForm<I extends FieldValues, O>(options: DeskFormOptions<I, O>): DeskForm<I, O> {
  const { schema, values, typed, draft } = options
  const base = useRef<I>(values)
  const [begin] = useState(typed)
  const [found, setFound] = useState(() => {
    const kept = draft && typed === undefined ? readDraft(draft.key, draft.shape) : null
    return kept !== null && sameValue(kept.values, values) ? null : kept
  })
  const methods = useForm<I, unknown, O>({ resolver: zodResolver(schema), defaultValues: values })
  const { reset, subscribe } = methods

  const key = draft?.key
  useEffect(() => {
    const restored = found === null ? begin : merge(base.current, found.base, found.values)
    if (restored === undefined) return
    reset(restored, { keepDefaultValues: true })
    // It is counted from today's record now, not from the one it was begun on.
    if (key !== undefined) keepDraft(key, { values: restored, base: base.current })
  }, [found, begin, key, reset])

  useEffect(() => {
    if (key === undefined) return undefined
    return subscribe({
      formState: { values: true },
      callback: ({ values: now }) => {
        if (sameValue(now, base.current)) dropDraft(key)
        else keepDraft(key, { values: now, base: base.current })
      },
    })
  }, [key, subscribe])

  const forget = () => {
    setFound(null)
    if (key !== undefined) dropDraft(key)
  }
  return {
    methods,
    restored: found !== null,
    dropDraft: forget,
    startOver: () => {
      reset(base.current)
      forget()
    },
    rebase: (record, kept) => {
      base.current = record
      reset(record)
      forget()
      if (kept !== undefined) {
        reset(kept, { keepDefaultValues: true })
        if (key !== undefined) keepDraft(key, { values: kept, base: record })
      }
    },
    keepsDraft: key !== undefined,
  }
}

/** Today's values with what the draft had changed on top: a field nobody touched follows the record. */
function merge<I extends FieldValues>(now: I, before: I, typed: I): I {
  const merged = { ...now }
  for (const field of Object.keys(typed) as (keyof I)[]) {
    if (!sameValue(typed[field], before[field])) merged[field] = typed[field]
  }
  return merged
}
