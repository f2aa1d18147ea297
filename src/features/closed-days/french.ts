import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Calendrier des jours ouvrés',
  version: (version: Text) => `version n° ${version}`,
  text: 'Les produits qui échoient le jour ouvré suivant le consultent à l’ouverture d’un dépôt. Les échéances convenues ne bougent plus.',
  weekend: 'Fermé chaque semaine le',
  days: {
    MON: 'lundi',
    TUE: 'mardi',
    WED: 'mercredi',
    THU: 'jeudi',
    FRI: 'vendredi',
    SAT: 'samedi',
    SUN: 'dimanche',
  },
  holidays: 'Jours fériés',
  holidaysHint: 'Un jour par ligne, par exemple 2026-12-25.',
  needs: {
    weekend: 'Laissez au moins un jour de la semaine ouvert.',
    holidays:
      'Indiquez chaque jour de fermeture une fois, sur une ligne à part, comme un jour qui existe, par exemple 2026-12-25.',
  } as Record<string, string>,
  submit: (version: Text) => `Écrire la version ${version}`,
  done: 'Le calendrier a été écrit.',
  mayNot: 'Votre rôle permet de voir le calendrier, pas de le modifier.',
  upcoming: 'Prochains jours de fermeture',
  none: 'Aucun jour n’est fermé.',
}
