/** The squares of three texts, each of which was read by a QR reader; and what every code has. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { render } from '../../src/page/html.ts'
import { qrSquare, qrSvg } from '../../src/page/qr.ts'

const URI =
  'otpauth://totp/Breakwater:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Breakwater&digits=6&period=30'

test('the code of a text is the one that readers have read', () => {
  const table: [text: string, size: number, digest: string][] = [
    ['Breakwater', 21, 'afd502bf3dbeaaf3'],
    [URI, 41, '3b8355a079cfaa73'],
    ['é'.repeat(200), 69, '6f03af79093d8a20'],
  ]
  for (const [text, size, digest] of table) {
    const square = qrSquare(text)
    const lines = square.map((row) => row.map(Number).join('')).join('\n')
    assert.deepEqual([square.length, hash('sha256', lines).slice(0, 16)], [size, digest], text)
  }
})

test('every version has its finders and its timing, and the longest text fits', () => {
  for (const length of [1, 17, 18, 100, 271, 858]) {
    const square = qrSquare('x'.repeat(length))
    const last = square.length - 1
    for (const [x, y] of [
      [0, 0],
      [last - 6, 0],
      [0, last - 6],
    ] as const) {
      const top = square[y]!.slice(x, x + 7)
      assert(top.every(Boolean) && square[y + 3]![x + 3], `${length}`)
    }
    assert.deepEqual(square[6]!.slice(8, 12), [true, false, true, false])
  }
  assert.throws(() => qrSquare('x'.repeat(859)), /too long/)
})

test('its picture has a name, and holds no text that could be markup', () => {
  const picture = render(qrSvg(URI, 'A "name" & <more>'))
  assert.match(picture, /aria-label="A &quot;name&quot; &amp; &lt;more>"/)
  assert.doesNotMatch(picture, /otpauth|<more/)
})
