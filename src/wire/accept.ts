/** Which format of an answer the client prefers; the first one where it does not say. */
export function preferred<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const ranges = (accept ?? '*/*').split(',').map(readRange)
  const qualityOf = (type: string) => {
    const [kind] = type.split('/')
    // The most exact range counts: text/html;q=0, */* takes anything but a page.
    const fitting = [type, `${kind}/*`, '*/*'].map((name) => ranges.find((range) => range.name === name))
    return fitting.find((range) => range !== undefined)?.quality ?? 0
  }
  return offered.reduce((best, type) => (qualityOf(type) > qualityOf(best) ? type : best))
}

function readRange(text: string): { name: string; quality: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return { name, quality: Number(quality) || 0 }
}
