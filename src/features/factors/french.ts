import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Seconds facteurs',
  sub: 'En plus de votre mot de passe : qui l’apprend ne peut pas se connecter à votre place.',
  must: 'Votre rôle exige un second facteur. Ajoutez-en un pour continuer.',
  none: 'Vous n’en avez pas encore.',
  name: 'Nom',
  added: 'Ajouté',
  used: 'Dernier usage',
  remove: 'Retirer',
  removeOf: (name: Text) => `Retirer ${name}`,
  passkeyTitle: 'Clé d’accès',
  passkeyText:
    'Votre doigt, visage ou code sur cet appareil ou une clé de sécurité. Elle connecte sans mot de passe, et un geste suffit à confirmer.',
  passkeyLabel: 'Nom de la clé d’accès',
  passkeyName: 'Clé d’accès',
  addPasskey: 'Ajouter une clé d’accès',
  noPasskeys: 'Les clés d’accès exigent l’adresse https de la console, ou localhost.',
  touch: 'Continuer',
  touchText: 'Votre navigateur demande votre doigt, votre visage ou votre code, ou votre clé de sécurité.',
  touchFailed:
    'Rien n’a été ajouté : la clé d’accès n’a pas répondu, a déjà été ajoutée, ou ce navigateur ne sait pas s’en servir.',
  appTitle: 'Application d’authentification',
  appText:
    'Une application de votre téléphone montre un nouveau code de six chiffres toutes les 30 secondes.',
  appName: 'Application d’authentification',
  addApp: 'Ajouter une application d’authentification',
  codesTitle: 'Codes de secours',
  codesLeft: (left: number) =>
    `Il vous reste ${left} ${left === 1 ? 'code' : 'codes'}. Chacun sert une fois, à la place d’un code de l’application.`,
  newCodes: 'Créer de nouveaux codes de secours',
  newCodesText: 'Les anciens codes ne servent plus.',
  scanTitle: 'Ajouter une application d’authentification',
  scanText:
    'Scannez cette image avec l’application, ou tapez-y la clé. Entrez ensuite le code que l’application montre.',
  picture: 'Code QR pour votre application d’authentification',
  key: 'Clé',
  code: 'Code de l’application',
  confirm: 'Ajouter l’application',
  cancel: 'Retour, sans rien ajouter',
  shownOnce: 'Vos codes de secours',
  shownOnceText:
    'Gardez-les là où vous les trouvez sans votre téléphone. Chacun sert une fois. Ils ne seront plus montrés.',
  goOn: 'Je les ai gardés',
  done: {
    added: 'Le second facteur a été ajouté. Vos autres sessions sont terminées.',
    removed: 'Le second facteur a été retiré. Vos autres sessions sont terminées.',
  } as Record<string, string>,
}
