import * as z from "zod/mini"

export { z }
