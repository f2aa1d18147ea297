/** Loaded before the program: writes down the name of every module that is loaded, in the file that LOADED names. */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED, `${url}\n`)
    return next(url, context)
  },
})
