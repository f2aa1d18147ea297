/** The languages that pages and letters are written in. */
export const LANGUAGES = ['en', 'fr'] as const

export type LanguageCode = (typeof LANGUAGES)[number]

export function isLanguage(code: string): code is LanguageCode {
  return (LANGUAGES as readonly string[]).includes(code)
}

/** The first of the header Accept-Language that we have, by its order; English if it has none of ours. */
export function languageAccepted(header: string): LanguageCode {
  const codes = header.split(',').map((range) => range.trim().slice(0, 2).toLowerCase())
  return codes.find(isLanguage) ?? 'en'
}
