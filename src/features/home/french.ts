import { countFrench, type Text } from '../../words/language.ts'

export const french = {
  home: {
    title: 'Accueil',
    heading: (name: Text) => `Bonjour, ${name}`,
    waiting: 'En attente de votre décision',
    mine: 'Vos demandes',
    allMine: 'Toutes vos demandes',
    noneMine:
      'Vous n’avez encore rien demandé. Ce qui demande une seconde personne paraît ici, avec son issue.',
    maturing: 'Échoit dans les sept jours',
    allMaturing: 'Tout ce qui échoit dans les sept jours',
    noneMaturing: 'Rien n’échoit dans les sept jours.',
    broken: 'Rompu aujourd’hui',
    noneBroken: 'Aucun dépôt n’a été rompu aujourd’hui.',
    paid: 'Versé',
    at: 'Quand',
    elsewhere: 'Choisissez un endroit dans le menu.',
    toConfirm: 'À confirmer',
    toConfirmText:
      'Un administrateur l’a réglé depuis moins d’un jour. Cela compte dans le livre réel à la fin de ce jour, ou dès qu’un second administrateur le confirme.',
    noneToConfirm: 'Rien n’attend un second administrateur.',
    countsFrom: 'Compte à partir du',
    person: 'Personne',
    key: 'Clé',
  },
  care: {
    title: 'À surveiller',
    nothing:
      'Rien ne vous attend\u00a0: aucune clé n’expire bientôt ni ne reste inutilisée, chaque webhook est activé, et chacun a un second facteur.',
    expires: (name: Text, day: Text) => `La clé ${name} expire le ${day}.`,
    unused: (name: Text) => `La clé ${name} n’a pas servi depuis 90 jours.`,
    webhookOff: (url: Text) => `Le webhook ${url} est désactivé.`,
    webhookFails: (url: Text, failed: number) =>
      `Le webhook ${url} n’a pas accepté ${countFrench(failed, 'message', 'messages')} des 50 derniers.`,
    invited: (name: Text) => `${name} n’a pas accepté l’invitation.`,
    noFactor: (name: Text) => `${name} se connecte par mot de passe seul, sans second facteur.`,
    noFactors: (people: number, names: Text, others: number) => {
      const more = others > 0 ? ` et ${countFrench(others, 'autre', 'autres')}` : ''
      return `${people} personnes se connectent par mot de passe seul, sans second facteur\u00a0: ${names}${more}.`
    },
    verified: (at: Text) => `Le grand livre a été vérifié le ${at}.`,
    backedUp: (at: Text, ago: Text) => `La dernière sauvegarde date du ${at}, ${ago}.`,
    notBackedUp: (ago: Text) =>
      `Il n’y a pas encore de sauvegarde. Le service, qui doit en faire, a démarré ${ago}.`,
    noBackup:
      'Ce service ne fait pas de sauvegardes lui-même. Demandez à l’exploitant de quand date la dernière.',
    notVerified: 'Le grand livre n’a jamais été vérifié. Demandez à l’exploitant de le vérifier.',
    difference: (text: Text) => `La dernière vérification a trouvé un écart : ${text}`,
  },
  pictures: {
    what: 'Quoi',
    amount: 'Montant',
    day: 'Jour',
    none: 'Rien encore. Les barres paraissent ici dès qu’il y a quelque chose à montrer.',
    byWeek: 'Échéances par semaine',
    byDay: 'Versé par anticipation par jour, 30 jours',
    charges: 'Pénalités de 30 jours',
    byProduct: 'Dû aux clients par produit',
    byTerm: 'Dû par temps jusqu’à l’échéance',
    byRate: 'Dû par taux',
    weekFrom: (day: Text) => `dès le ${day}`,
    deposits: (deposits: number) => countFrench(deposits, 'dépôt', 'dépôts'),
    addedUp: (at: Text) => `Totaux du ${at}.`,
    earned: 'Perçu',
    waived: 'Remis',
    noProduct: 'Sans produit',
    rates: (from: Text, below: Text) => `de ${from} à moins de ${below} %`,
    terms: { month: 'D’ici un mois', quarter: 'D’ici 3 mois', year: 'D’ici un an', longer: 'Plus tard' },
  },
}
