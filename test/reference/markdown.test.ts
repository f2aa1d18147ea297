import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from '../../src/page/html.ts'
import { readChapters, renderLine, withServedLinks } from '../../tools/reference/markdown.ts'

const line = (text: string) => render(renderLine(text))

test('a link leads to its place, and what only looks like one stays text', () => {
  assert.equal(
    line('See [Errors](#errors), [the desk](/docs/desk#roles) and [Citus](https://www.citusdata.com).'),
    'See <a href="#errors">Errors</a>, <a href="/docs/desk#roles">the desk</a> and <a href="https://www.citusdata.com">Citus</a>.',
  )
  for (const text of ['[a] (b)', '[a]', 'f(x)[0](', '[](x)', '[a](b)']) assert.equal(line(text), text)
  assert.equal(line('`[a](/b)`'), '<code>[a](/b)</code>')
  assert.equal(line('[<b>](https://x/"y)'), '<a href="https://x/&#34;y">&#60;b&#62;</a>')
})

test('documents are linked where they are served, and other files are named by their path', () => {
  assert.equal(
    withServedLinks('[Limits](desk.md#limits), [all](api.md), [Errors](#errors), [Citus](https://citus)'),
    '[Limits](/docs/desk#limits), [all](/docs), [Errors](#errors), [Citus](https://citus)',
  )
  assert.equal(
    withServedLinks('[People](operating.md#people), [two banks](../examples/import/README.md)'),
    '`docs/operating.md`, `examples/import/README.md`',
  )
})

test('a table has a head and rows, and its cells are lines', () => {
  const [chapter] = readChapters('| Role | May |\n|---|---|\n| `CLERK` | [more](#more) |')
  assert.equal(
    render(chapter!.blocks).replaceAll('\n', ''),
    '<div class="table" tabindex="0"><table><thead><tr><th scope="col">Role</th><th scope="col">May</th></tr></thead>' +
      '<tbody><tr><td><code>CLERK</code></td><td><a href="#more">more</a></td></tr></tbody></table></div>',
  )
})

test('a heading of the third level stays in its chapter', () => {
  const chapters = readChapters('First.\n\n## Files\n\nText.\n\n### From elsewhere\n\n- `one`\n- [two](#two)')
  assert.deepEqual(
    chapters.map(({ title, blocks }) => [title, render(blocks)]),
    [
      [null, '<p>First.</p>'],
      [
        'Files',
        '<p>Text.</p><h3 id="from-elsewhere">From elsewhere</h3><ul><li><code>one</code></li><li><a href="#two">two</a></li></ul>',
      ],
    ],
  )
})
