/** What the reference and the guides have around their content. */
import { type Html, html, trusted } from '../../src/page/html.ts'
import { ICON, STYLE } from './style.ts'

export function renderFrame(page: {
  title: string
  /** Beside the name of the service at the top. */
  head: Html
  contents: Html
  main: Html
  /** Of the root element. */
  attributes?: Html
  script?: Html
  /** After the content. */
  end?: Html
}): Html {
  return html`<!doctype html>
<html lang="en"${page.attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<link rel="icon" href="${ICON}">
<style>${trusted(STYLE)}</style>
${page.script}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><img src="${ICON}" alt="" width="28" height="28"><span>Breakwater</span></a>
${page.head}
</header>
<nav class="side" aria-label="Contents">${page.contents}</nav>
<main id="content" tabindex="-1">
${page.main}
</main>
${page.end}
</body>
</html>
`
}
