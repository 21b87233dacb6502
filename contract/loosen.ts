import * as z from "zod/mini"

/** A documented type after loosening: closed lists become any string, nested records lose their certainty. */
export type Loosened<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends readonly (infer Item)[]
      ? Loosened<Item>[]
      : T extends Record<string, unknown>
        ? string extends keyof T
          ? T
          : { [K in keyof T]?: Loosened<T[K]> | null }
        : T

/**
 * The tolerant twin of a documented field: enums accept any string, formats and bounds are dropped, nested
 * records accept further, missing and null fields. The basic type stays: text where a number is due is
 * unreadable, not tolerable.
 */
export function loosen(schema: z.ZodMiniType): z.ZodMiniType {
  const inner = schema as unknown as z.core.$ZodTypes
  const def = inner._zod.def
  switch (def.type) {
    case "string":
    case "enum":
      return z.string()
    case "number":
      return z.number()
    case "optional":
    case "nullable":
      return z.nullish(loosen(asMini(def.innerType)))
    case "array":
      return z.array(loosen(asMini(def.element)))
    case "object": {
      const loose: Record<string, z.ZodMiniType> = {}
      for (const [name, field] of Object.entries(def.shape)) loose[name] = z.nullish(loosen(asMini(field)))
      return z.looseObject(loose)
    }
    default:
      return schema
  }
}

/** zod's core types name the same objects as its mini types; only their declared methods differ. */
function asMini(schema: z.core.$ZodType): z.ZodMiniType {
  return schema as z.ZodMiniType
}
