import type { Text } from '../../words/language.ts'

export const french = {
  reversal: {
    payments: 'Versé par anticipation',
    paid: (amount: Text, day: Text) => `${amount} versés le ${day}`,
    title: 'Annuler',
    takenBack: 'Annulée',
    on: (at: Text) => `Le ${at}. Le dépôt est comme s’il n’avait pas été rompu.`,
    open: 'Annuler cette rupture',
    text: 'L’argent quitte de nouveau le compte, et le dépôt est comme s’il n’avait pas été rompu. Les deux restent dans le grand livre.',
    reason: 'Pourquoi elle est annulée',
    submit: (amount: Text) => `Reprendre ${amount}`,
    sure: (amount: Text) => `Reprendre ${amount} ?`,
    fromAccount: 'Du compte',
    reversed: (at: Text) => `annulé le ${at}`,
    needsReason: 'Dites pourquoi elle est annulée.',
    notDone: 'Rien n’a été annulé.',
    done: {
      reversed: 'La rupture a été annulée. Le dépôt est comme s’il n’avait pas été rompu.',
      'reversal-waits': 'L’annulation attend l’approbation d’une seconde personne. Rien n’a encore été fait.',
    } as Record<string, string>,
  },
}
