/** French words that every screen uses. `{name}` is filled in. */
import type { Words } from '../tables.ts';

export const shared: Words['shared'] = {
  tryAgain: 'Réessayer',
  cancel: 'Annuler',
  back: 'Retour',
  close: 'Fermer',
  done: 'Terminé',
  save: 'Enregistrer',
  loading: 'Chargement …',
  nothingHere: 'Rien ici pour le moment.',
  /** Proved never to have been made: of what would have charged a card, and of all else. */
  notCharged: 'Non débité',
  notDone: 'Non effectué',
  states: {
    idle: 'Au repos',
    busy: 'En cours',
    approved: 'Accepté',
    declined: 'Refusé',
    unknown: 'Inconnu',
    offline: 'Hors ligne',
    person: 'À vérifier',
  },
  nobody: 'Sans noms',
  menu: 'Menu de {name}',
  goTo: 'Aller à',
  screens: { cashier: 'Caisse', manager: 'Gérance', technician: 'Technique' },
  language: 'Langue',
  scheme: 'Clair ou sombre',
  schemes: { light: 'Clair', dark: 'Sombre', auto: 'Comme l’appareil' },
  online: 'Connecté',
  awayTitle: 'Le programme de caisse ne répond pas',
  awayMoney: 'Un paiement en cours continue tout seul et n’est pas perdu. Cette page se reconnecte toute seule.',
  modes: {
    test: {
      name: 'Mode test',
      why: 'aucun argent ne circule',
      mark: 'TEST',
    },
    training: {
      name: 'Formation',
      why: 'aucune carte n’est débitée',
      mark: 'FORMATION',
    },
  },
  goLive: 'Passer en service réel',
  held: {
    other: 'Le dossier de données appartient à une autre machine : rien n’est vendu ici.',
    behind:
      'La passerelle connaît des opérations qui manquent ici : rien n’est vendu avant qu’un responsable ait regardé.',
    look: 'Voir',
  },
  useSimulated: 'Utiliser un terminal simulé',
  useSimulatedWhy: 'Pour essayer la caisse sur un terminal simulé : aucune carte n’est débitée.',
  setUpError: 'Erreur de configuration',
  trainingBegin: 'Commencer la formation',
  trainingEnd: 'Terminer la formation',
  crashTitle: 'Cet écran ne fonctionne plus',
  crashMoney: 'Aucun argent n’est perdu. Un paiement en cours continue tout seul.',
  crashNext: 'Affichez de nouveau l’écran. Si cela se reproduit, dites à l’assistance ce que vous faisiez.',
  showAgain: 'Afficher de nouveau',
};
