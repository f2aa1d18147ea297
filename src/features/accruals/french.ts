import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Comptabilité',
  version: (version: number) => `version n° ${version}`,
  text: 'Comment les intérêts courus sont passés au grand livre. Un programme le change avec une clé d’API.',
  accruals: 'Intérêts courus',
  modes: {
    OFF: 'Les intérêts courus ne sont pas comptabilisés.',
    DAILY: 'Les intérêts courus sont comptabilisés à la clôture de chaque jour.',
    MONTHLY: 'Les intérêts courus sont comptabilisés à la clôture du dernier jour de chaque mois.',
  },
  closed: 'Dernier jour clos de chaque devise',
  noneClosed: 'Aucun jour n’est encore clos.',
  currency: 'Devise',
  day: 'Jour',
  payable: 'Courus, non payés',
  prepaid: 'Payés d’avance',
  entry: 'Écriture',
  unmoved: 'aucun mouvement',
  codes: 'Codes du grand livre',
  account: 'Compte',
  code: 'Code comptable',
  customers: { accounts: 'Comptes des clients', deposits: 'Dépôts des clients' } as Record<string, string>,
  report: 'Intérêts de chaque dépôt',
  reportText: (day: Text) =>
    `À la clôture de n’importe quel jour jusqu’au ${day}, que les intérêts soient comptabilisés ou non.`,
  download: 'Télécharger en CSV',
}
