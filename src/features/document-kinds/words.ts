/** What operations and events are called: those of documents by their descriptions, others by the shared texts. */
import type { LanguageCode } from '../../domain/language.ts'
import type { Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { documentKinds } from './document.ts'

type Names = { operations: Record<string, string>; actions: Record<string, string> }

export const documentWords: Texts<Names> = { en: namesIn('en'), fr: namesIn('fr') }

function namesIn(language: LanguageCode): Names {
  return {
    operations: Object.fromEntries(
      documentKinds.map(({ operation, texts }) => [operation, texts[language].operation]),
    ),
    actions: Object.fromEntries(documentKinds.map(({ event, texts }) => [event, texts[language].action])),
  }
}

export function operationName(operation: string, words: Words): string {
  return words.say.operations[operation] ?? words.of(documentWords).operations[operation] ?? operation
}

export function actionName(type: string, words: Words): string {
  return words.of(documentWords).actions[type] ?? words.action(type)
}
