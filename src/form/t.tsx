import { TextInput } from "@mantine/core"
import { useController, useForm, type Control, type FieldPathByValue, type FieldValues } from "react-hook-form"
import { zodResolver } from "@hookform/resolvers/zod"
import { z } from "../lib/z.ts"
import { createMemberBody } from "../../contract/program/member.ts"

export function TextField<I extends FieldValues, O>({control, name}: {control: Control<I, unknown, O>, name: FieldPathByValue<I, string>}) {
  const { field, fieldState } = useController({ control, name })
  return <TextInput {...field} error={fieldState.error?.message} />
}
export function useDeskForm<S extends z.ZodMiniType<unknown, FieldValues>>(schema: S, values: z.input<S>) {
  return useForm<z.input<S>, unknown, z.output<S>>({ resolver: zodResolver(schema), defaultValues: values })
}
export function useDeskForm2<I extends FieldValues, O>(schema: z.ZodMiniType<O, I>, values: I) {
  return useForm<I, unknown, O>({ resolver: zodResolver(schema), defaultValues: values })
}
export function X() {
  const form = useForm<z.input<typeof createMemberBody>, unknown, z.output<typeof createMemberBody>>({ resolver: zodResolver(createMemberBody) })
  return <TextField control={form.control} name="email" />
}
