import { countFrench, type Text } from '../words/language.ts'

export const french = {
  frame: {
    age: (seconds: number) =>
      `Cette page est lue dans une copie de la base en retard de ${countFrench(seconds, 'seconde', 'secondes')}.`,
    waiting: 'en attente de votre décision',
    main: 'Navigation principale',
    search: 'Rechercher',
    searchHint: 'Nom, compte, dépôt ou téléphone',
    testMode: 'Mode test',
    clock: 'Aucun argent réel ne bouge. L’horloge de ce livre indique',
    moveClock: 'Avancer l’horloge',
    me: 'Votre connexion',
    theme: 'Clair ou sombre',
    signOut: 'Se déconnecter',
    offline: 'Ce navigateur est hors ligne. Rien ne peut être envoyé avant son retour en ligne.',
    switchTo: { test: 'Aller au livre de test', live: 'Aller au livre réel' },
  },
  help: {
    open: 'Aide et touches',
    close: 'Fermer',
    keys: 'Touches',
    search: 'Chercher un client, un compte ou un dépôt',
    choose: 'Choisir parmi les résultats, et ouvrir',
    go: (place: Text) => `Aller à : ${place}`,
    break: 'Sur un dépôt : aller au motif, puis Entrée montre encore la somme',
    help: 'Cette aide',
    escape: 'Fermer un dialogue ou un menu',
    /** By the path of a page, or of a page above it. */
    purposes: {
      '/': 'Ce qui attend votre décision, ce qui échoit bientôt, ce qui a été rompu aujourd’hui, et la banque en images.',
      '/customers':
        'Trouver des clients comme on parle\u00a0: une partie du nom, un téléphone avec ou sans son pays, un compte.',
      '/search':
        'Ce qui a été trouvé. Une partie d’un nom, un téléphone comme on le dit, un compte ou un dépôt suffit.',
      '/open': 'Enregistrer un client. Un compte et un dépôt s’ouvrent ensuite depuis sa page.',
      '/customers/:customer_id':
        'Tout sur un client\u00a0: coordonnées, comptes, dépôts, catégorie fiscale, et qui a changé quoi.',
      '/customers/:customer_id/interest-certificate':
        'Les intérêts versés au client entre deux jours, pour sa déclaration d’impôts. S’imprime en A4.',
      '/customers/:customer_id/open-account':
        'Ouvrir un compte pour ce client. Les dépôts partent de ce compte et y reviennent.',
      '/accounts':
        'Un compte, son solde et ses mouvements. Un superviseur le crédite\u00a0; des dépôts en partent.',
      '/accounts/:account_number/open-deposit':
        'Ouvrir un dépôt. Son taux, son échéancier et son échéance sont montrés avant toute chose.',
      '/deposits':
        'Ouvrir, rompre et bloquer des dépôts. Chaque chiffre est calculé avant tout versement, et rien n’est versé deux fois.',
      '/deposits/:deposit_id':
        'Ce que la rupture de ce dépôt verse chaque jour, et pourquoi. Choisissez combien, donnez un motif, relisez, et versez.',
      '/deposits/:deposit_id/parties':
        'Cotitulaires, bénéficiaires et tuteurs. Ils sont enregistrés et imprimés\u00a0; l’argent ne bouge pas.',
      '/deposits/:deposit_id/certificate':
        'La lettre qui dit au client les conditions du dépôt. S’imprime en A4.',
      '/deposits/:deposit_id/statement':
        'Ce qui est arrivé au dépôt entre deux jours, avec ce qui restait. S’imprime en A4.',
      '/liquidations':
        'Ce qui a été rompu et versé, avec des filtres, des totaux et un fichier de cela exactement.',
      '/liquidations/:liquidation_id':
        'Un versement\u00a0: qui, quand, pourquoi, ses chiffres et ses écritures. Il peut être repris ici pendant 30 jours.',
      '/liquidations/:liquidation_id/advice':
        'La lettre qui dit au client ce qui a été versé et comment c’est calculé. S’imprime sur une page A4.',
      '/ledger':
        'Chaque écriture du grand livre, avec des filtres, des totaux et un fichier de cela exactement.',
      '/tax': 'Ce qui a été retenu sur les intérêts, mouvement par mouvement, pour le fisc.',
      '/approvals': 'Décider de ce que d’autres ont demandé. Personne n’approuve sa propre demande.',
      '/requests': 'Ce que vous avez demandé à d’autres d’approuver, et ce qu’il en est advenu.',
      '/report': 'Un jour comptable en chiffres. Chaque chiffre mène à ses lignes.',
      '/accounting': 'Comment les intérêts courus sont passés au grand livre, jour après jour.',
      '/products':
        'Ce que la banque vend\u00a0: les produits, leurs taux par durée et montant, et ses jours de fermeture.',
      '/new-product':
        'Décrire un produit\u00a0: qui peut l’ouvrir, comment il verse les intérêts, et ce qu’il devient à l’échéance.',
      '/calendar':
        'Les jours de fermeture de la banque. Un produit peut reporter une échéance au prochain jour ouvert.',
      '/rules':
        'Ce que coûte une rupture, ce qui demande une approbation et ce qui est imposé. Un dépôt garde la version de son ouverture.',
      '/rules/versions':
        'Chaque version des règles de pénalité, la plus récente d’abord. Un dépôt garde la version de son ouverture.',
      '/policy':
        'Quelles opérations attendent une seconde personne. Ce qu’un changement aurait retenu est montré avant.',
      '/tax-rules':
        'Ce qui est retenu sur les intérêts, par catégorie de client. Ce qu’un changement aurait retenu est montré avant.',
      '/batches':
        'Les fichiers d’opérations : les envoyer et les lancer, voir où en est chacun, et le sort de ses lignes.',
      '/audit': 'Qui a changé quoi et quand, avec les anciennes et les nouvelles valeurs.',
      '/access':
        'Qui travaille ici avec quels droits. Ce qu’un administrateur décide, un second le confirme.',
      '/access/keys':
        'Les clés des programmes\u00a0: ce que chacune peut faire, et son dernier usage. Créez, remplacez et révoquez-les ici.',
      '/webhooks': 'Où les événements de ce livre sont envoyés, et ce que chaque message est devenu.',
      '/me': 'Où vous êtes connecté, votre mot de passe, et les navigateurs qui vous connaissent.',
      '/me/factors':
        'Ce qu’il faut en plus du mot de passe, et les codes de secours qui servent en cas de perte.',
      '/clock': 'Avancer l’horloge du livre de test. Ce qui échoit en chemin est exécuté, comme à son heure.',
    } as Record<string, string>,
  },
  signIn: {
    title: 'Connexion',
    heading: 'Se connecter à la console',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    bank: 'Banque',
    chooseBank:
      'Cette adresse et ce mot de passe sont connus de plusieurs banques. Choisissez-en une et redonnez le mot de passe.',
    forgotten: 'Mot de passe oublié ? Un administrateur peut vous donner un lien pour en choisir un nouveau.',
    ended: 'Veuillez vous reconnecter. Votre saisie est conservée.',
    endedPlain: 'Veuillez vous connecter.',
    demo: 'Banque de démonstration. Se connecter comme :',
    use: 'Utiliser',
    again: 'Vous êtes de nouveau connecté',
    againText: 'Rien n’a encore été envoyé. Envoyez votre saisie, ou revenez en arrière pour la relire.',
    send: 'Envoyer maintenant',
    look: 'Relire',
  },
  fresh: {
    title: 'Est-ce bien vous ?',
    text: 'Ceci donne accès à quelqu’un. Redonnez votre mot de passe, car vous vous êtes connecté il y a plus de 15 minutes.',
    textOfPasskey:
      'Ceci donne accès à quelqu’un. Utilisez votre clé d’accès ou redonnez votre mot de passe, car vous vous êtes connecté il y a plus de 15 minutes.',
    password: 'Votre mot de passe',
    submit: 'Continuer',
    back: 'Retour, sans rien faire',
  },
  signOn: {
    button: (name: Text) => `Se connecter avec ${name}`,
    fresh: (name: Text) =>
      `Connectez-vous de nouveau avec ${name}, car votre connexion date de plus de 15 minutes. Votre saisie est gardée.`,
    refusedTitle: 'Vous ne pouvez pas vous connecter ici',
    noRole: (groups: Text) => `Vous n’avez pas de rôle ici. Demandez un des groupes ${groups}.`,
    askFor: (name: Text) => `Les personnes qui gèrent ${name} peuvent vous aider.`,
    failedTitle: 'Connectez-vous de nouveau',
    failed:
      'La connexion n’est pas revenue comme elle avait commencé, ou a pris trop de temps. Rien n’a été fait.',
    unreachableTitle: 'Le fournisseur d’identité ne répond pas',
    unreachable:
      'Réessayez dans un instant. Si vous avez un mot de passe de cette console, vous pouvez l’utiliser.',
    unreachableOnly:
      'Réessayez dans un instant. Les personnes prévues pour l’urgence peuvent utiliser leur mot de passe.',
    local: 'Utiliser un mot de passe',
    leftTitle: 'Vous êtes déconnecté ici',
    left: 'Le fournisseur d’identité vous déconnecte aussi.',
    leave: 'Continuer',
  },
  passkey: {
    signIn: 'Se connecter avec une clé d’accès',
    confirm: 'Utiliser votre clé d’accès',
    failed: 'Rien n’a été fait : la clé d’accès n’a pas répondu, ou ce navigateur ne sait pas s’en servir.',
  },
  factor: {
    title: 'Seconde étape',
    heading: 'Entrez le code',
    text: 'Votre mot de passe est juste. Ouvrez votre application d’authentification et entrez le code qu’elle montre pour cette console.',
    textOfPasskey: 'Votre mot de passe est juste. Utilisez votre clé d’accès, ou entrez un code.',
    code: 'Code de connexion',
    codeHint: 'Six chiffres de votre application d’authentification, ou un de vos codes de secours.',
    submit: 'Se connecter',
    lost: 'Téléphone et codes de secours perdus ? Un administrateur peut retirer votre second facteur.',
    back: 'Recommencer',
  },
  notices: {
    title: 'Ce qui a été fait',
    read: 'J’ai lu',
    operator: 'l’opérateur',
    somebody: 'quelqu’un',
    own: {
      'person.invited': (by: Text) => `Vous avez été invité par ${by}.`,
      'person.enabled': (by: Text) => `Vous avez été invité de nouveau par ${by}.`,
      'person.role_changed': (by: Text) => `Votre rôle ou vos livres ont été modifiés par ${by}.`,
      'person.reset': (by: Text) =>
        `Votre mot de passe a été réinitialisé par ${by}. Si vous ne l’avez pas demandé, prévenez tout de suite un autre administrateur.`,
      'person.factors_removed': (by: Text) =>
        `Vos seconds facteurs ont été retirés par ${by}. Si vous ne l’avez pas demandé, dites-le à un autre administrateur.`,
      'person.factor_added': () =>
        'Un second facteur a été ajouté à votre connexion. Si ce n’était pas vous, dites-le à un administrateur.',
      'person.factor_removed': () =>
        'Un second facteur a été retiré de votre connexion. Si ce n’était pas vous, dites-le à un administrateur.',
      'person.recovery_code_used': () =>
        'Quelqu’un s’est connecté à votre place avec un code de secours. Si ce n’était pas vous, dites-le à un administrateur.',
      'person.passkey_copied': () =>
        'Quelqu’un a essayé de se connecter avec ce qui semble être une copie de votre clé d’accès. Retirez-la, et dites-le à un administrateur.',
      'person.confirmed': (by: Text) => `Votre accès a été confirmé par ${by}.`,
    } as Record<string, (by: string) => string>,
    others: {
      'person.invited': (who: Text, by: Text) => `${who} : invitation par ${by}.`,
      'person.enabled': (who: Text, by: Text) => `${who} : nouvelle invitation par ${by}.`,
      'person.role_changed': (who: Text, by: Text) => `${who} : rôle ou livres modifiés par ${by}.`,
      'person.reset': (who: Text, by: Text) => `${who} : mot de passe réinitialisé par ${by}.`,
      'person.disabled': (who: Text, by: Text) => `${who} : accès désactivé par ${by}.`,
      'person.factors_removed': (who: Text, by: Text) => `${who} : seconds facteurs retirés par ${by}.`,
      'person.confirmed': (who: Text, by: Text) => `${who} : accès confirmé par ${by}.`,
    } as Record<string, (who: string, by: string) => string>,
  },
  welcome: {
    title: 'Bienvenue',
    heading: 'Choisissez votre mot de passe',
    text: 'Au moins 12 caractères. Quelques mots sans rapport sont faciles à retenir et difficiles à deviner.',
    password: 'Nouveau mot de passe',
    link: 'La partie de votre lien après le #',
    submit: 'Enregistrer le mot de passe',
    done: 'Votre mot de passe est enregistré. Vous pouvez vous connecter.',
    whoHeading: 'Qui êtes-vous ?',
    whoText: 'Vous êtes le premier administrateur. Connectez-vous désormais avec cette adresse e-mail.',
    name: 'Nom',
    email: 'Adresse e-mail',
    whoSubmit: 'Enregistrer',
  },
  failures: {
    signInAgain: 'Se connecter',
    home: 'Aller à la première page',
    403: [
      'Pas pour votre rôle',
      'Votre rôle ne comprend pas cette page. Un superviseur ou un administrateur peut vous aider.',
    ],
    crossSite: [
      'Pas envoyé depuis la console',
      'Le formulaire ne venait pas d’une page de cette console : rien n’a été fait. Rouvrez la page et envoyez-le de là.',
    ],
    404: ['Introuvable', 'Il n’y a rien à cette adresse dans ce livre.'],
    400: ['Non compris', 'Le formulaire n’a pas pu être lu. Rien n’a été fait.'],
    clockUnsure: [
      'La date doit être confirmée',
      'Rien n’a été fait. La date de ce livre a sauté\u00a0: rien n’y change avant que l’exploitant ait vérifié l’horloge. Tout reste lisible.',
    ],
    503: ['Trop de demandes en ce moment', 'Rien n’a été fait. Réessayez dans quelques secondes.'],
    500: [
      'Une erreur est survenue',
      'Nous n’avons pas pu confirmer le changement. Regardez la fiche avant de réessayer.',
    ],
  },
}
