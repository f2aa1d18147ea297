import type { Text } from '../../words/language.ts'

export const french = {
  keys: {
    title: 'Clés d’API',
    book: (mode: Text) => `Du ${mode}.`,
    name: 'Nom',
    scopes: 'Peut faire',
    everything: 'tout',
    made: 'Créée',
    lastUsed: 'Dernier usage',
    expires: 'Expire',
    expiresOn: 'Dernier jour',
    expiresHint: 'Elle agit jusqu’à la fin de ce jour. Laissé vide\u00a0: jusqu’à sa révocation.',
    needsDay: 'Indiquez un dernier jour qui n’est pas passé, ou aucun.',
    status: 'Situation',
    active: 'Active',
    revoked: 'Révoquée',
    expired: 'Expirée',
    all: 'Toutes',
    find: 'Le nom ou le droit contient',
    revoke: 'Révoquer',
    revokeOf: (name: Text) => `Révoquer ${name}`,
    sure: {
      revoke: (name: Text) => `Révoquer ${name} ?`,
      roll: (name: Text) => `Remplacer ${name} ?`,
    },
    sureText: {
      revoke: 'Ce qui utilise cette clé cesse de marcher en moins d’une seconde.',
      roll: 'Une nouvelle clé est créée et montrée une fois. L’ancienne agit encore 24 heures.',
    },
    done: 'La clé a été révoquée. Elle cesse d’agir en moins d’une seconde.',
    none: 'Il n’y a pas de clé dans ce livre.',
    make: 'Créer une clé',
    makeText:
      'Une clé peut faire ce qu’aucune règle d’approbation ne protège. Celle qui peut déplacer de l’argent dans le ' +
      'livre réel agit un jour plus tard, ou dès qu’un second administrateur la confirme.',
    roll: 'Remplacer',
    rollOf: (name: Text) => `Remplacer ${name}`,
    rolledFor: 'L’ancienne clé agit encore 24 heures.',
    confirmed: 'La clé agit à partir de maintenant.',
    worksFrom: (time: Text) => `Ne change rien avant le ${time}.`,
    submit: 'Créer la clé',
    shown: 'Cette clé n’est montrée qu’une fois. Copiez-la maintenant.',
    needs: 'Choisissez au moins une chose que la clé peut faire.',
    mayNot:
      'La politique d’approbation protège quelque chose que cette clé ferait. L’opérateur crée de telles clés.',
    notActive: 'La clé n’est plus active.',
  },
}
