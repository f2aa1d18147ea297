/**
 * The form that sends a request to this service with a test key. The form is part of the page and stays closed without
 * script; the script fills it from the data of a sample's button.
 */
import { type Html, html } from '../../src/page/html.ts'
import type { Json } from '../../src/wire/json.ts'
import type { Parameter } from './openapi-document.ts'
import { exampleOf } from './schema.ts'

/** The data of a request for the script. */
type FormContent = {
  method: string
  path: string
  fields: { name: string; place: Parameter['in']; required: boolean; example: string }[]
  /** As text, so that amounts keep both of their decimals. */
  body: string | null
}

export function renderTryButton(
  { method, path, body, name }: { method: string; path: string; body: Json | null; name: string },
  parameters: readonly Parameter[],
): Html {
  const content: FormContent = {
    method,
    path,
    fields: parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      required: parameter.required,
      example: exampleOf(parameter),
    })),
    body: body === null ? null : JSON.stringify(body, null, 2),
  }
  return html`<button type="button" class="button try" aria-label="Try it: ${name}" data-request="${JSON.stringify(content)}" hidden>Try it</button>`
}

/** Its inputs have no names, so that even a browser that submits the form puts nothing into a URL. */
export const REQUEST_FORM = html`<dialog id="try" aria-labelledby="try-title">
<form>
<div class="heading"><h2 id="try-title">Try it</h2><button type="button" class="button" id="try-close">Close</button></div>
<p class="request"><span class="method" id="try-method"></span> <code id="try-path"></code></p>
<div class="field">
<label for="try-key">Test key</label>
<input type="password" id="try-key" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100"
 placeholder="bw_test_…" aria-describedby="try-key-hint try-key-error">
<p class="hint" id="try-key-hint">Stays in this page until you reload it. Live keys are not accepted.</p>
<p class="error" id="try-key-error" role="alert"></p>
</div>
<div id="try-fields"></div>
<div class="field" id="try-body-field">
<label for="try-body">Body</label>
<textarea id="try-body" autocomplete="off" autocapitalize="off" spellcheck="false"></textarea>
</div>
<button class="button primary" id="try-send">Send to the test book</button>
</form>
<section id="try-answer" aria-label="Answer" aria-live="polite"></section>
</dialog>`
