import * as z from "zod/mini"
import en from "zod/v4/locales/en.js"

// Sentences for the checks that carry none of their own. Inside the desk only: the pages before it need none.
z.config(en())
