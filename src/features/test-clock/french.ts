import type { Text } from '../../words/language.ts'

export const french = {
  clock: {
    title: 'Horloge du livre de test',
    text: 'Avancer l’horloge fait courir les intérêts et les échéances du livre de test. Elle ne recule pas.',
    to: 'Avancer au jour',
    submit: 'Avancer l’horloge',
    moved: (at: Text) => `L’horloge indique maintenant le ${at}.`,
    refused: 'L’horloge ne fait qu’avancer, de dix ans au plus à la fois.',
  },
}
