import { expectTypeOf, test } from "vitest"
import type { FormShellProps } from "./form.tsx"
import type { FieldProps } from "./fields.tsx"

type Shell = FormShellProps<{ name: string }, { name: string }>
type NotOptional<T, K extends keyof T> = object extends Pick<T, K> ? false : true

test("a form shell requires its error and its busy state", () => {
  expectTypeOf<NotOptional<Shell, "submitError">>().toEqualTypeOf<true>()
  expectTypeOf<NotOptional<Shell, "busy">>().toEqualTypeOf<true>()
})

test("a field only accepts names of values of its type", () => {
  type Values = { name: string; age: number; tags: { key: string }[] }
  expectTypeOf<FieldProps<Values, unknown, string>["name"]>().toEqualTypeOf<"name" | `tags.${number}.key`>()
  expectTypeOf<FieldProps<Values, unknown, number>["name"]>().toEqualTypeOf<"age">()
})
