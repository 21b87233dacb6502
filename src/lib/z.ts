import * as z from "zod/mini"
import en from "zod/v4/locales/en.js"

// No code generation at run time: the content security policy forbids it. And one plain locale.
z.config({ ...en(), jitless: true })

export { z }
