/** How a sale ended, in French. `{why}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { ReasonsIn } from '../en/reasons.ts';

const called = 'Si cela dure plus de 15 minutes, la caisse demande à une personne de vérifier.';
const receipt = 'Remettez le ticket.';
const otherCard = 'Demandez une autre carte.';
const again = 'Recommencez.';
const manager = 'Prévenez le responsable.';
const leaveIn = 'Recommencez et laissez la carte en place.';
const whenReady = 'Recommencez quand tout est prêt.';
const goodsLeft = 'Pas débité, bien que la marchandise soit partie.';

export const reasons = translator<ReasonsIn>()('fr', {
  approved: row('Accepté', receipt),
  refunded: row('Remboursé', 'L’argent retourne sur la carte.', receipt),
  held: row(
    'Montant bloqué',
    'Bloqué sur la carte, pas encore débité.',
    'Remettez le ticket. Débitez avec ce numéro de ticket quand le montant est connu.',
  ),
  credited: row('Crédité', 'L’argent va sur la carte.', receipt),
  voided: row('Annulé', 'Le client ne sera pas débité.', receipt),
  heldMore: row('Blocage augmenté', 'Bloqué sur la carte, pas encore débité.', receipt),
  completed: row('Débit final fait', receipt),
  released: row('Blocage levé', 'Plus rien n’est bloqué sur la carte, et rien n’est débité.', receipt),
  stored: row(
    'Enregistré jusqu’au retour de la connexion',
    'La caisse l’envoie à la banque au retour de la connexion.',
    'Remettez le ticket. La caisse envoie automatiquement.',
  ),
  storedRefused: row(
    'Enregistré, puis refusé par la banque',
    'Pas exécuté : le paiement d’origine est inchangé.',
    manager,
  ),
  nothingToFollow: row(
    'Il n’y a plus rien à faire : {why}',
    'Aucun argent n’a bougé : le paiement d’origine n’a jamais été fait.',
    'Regardez le ticket du paiement d’origine.',
  ),
  voidedBeforeSending: row(
    'Annulé avant l’envoi à la banque',
    'Pas débité : rien ne sera envoyé à la banque.',
    receipt,
  ),
  approvedOffline: row('Accepté hors ligne', 'Sera débité au retour de la connexion.', receipt),
  takenOffline: row(
    'Pris hors ligne, pas encore accepté',
    'Sera débité au retour de la connexion, si la banque l’accepte.',
    receipt,
  ),
  holdTakenOffline: row(
    'Pris hors ligne, pas encore accepté',
    'Sera bloqué sur la carte au retour de la connexion, si la banque l’accepte.',
    receipt,
  ),
  heldOffline: row('Accepté hors ligne', 'Sera bloqué sur la carte au retour de la connexion.', receipt),
  declinedOnForwarding: row('Pris hors ligne, puis refusé par la banque', goodsLeft, manager),
  declinedByHost: row('Refusé', otherCard),
  refusedByHost: row('La passerelle a rejeté la demande : {why}', 'Faites vérifier la configuration de la caisse.'),
  testAnswer: row(
    'Cette caisse est en service réel, mais sa passerelle a répondu en mode test',
    'N’acceptez plus de cartes ici. Un responsable doit corriger l’adresse et le canal de la passerelle.',
  ),
  liveAnswer: row(
    'Cette caisse est en mode test, mais sa passerelle est en service réel',
    'N’acceptez plus de cartes ici. Un responsable peut passer la caisse en service réel ou lui donner un canal de test.',
  ),
  declinedByChip: row('Refusé par la carte', otherCard),
  chipRefusedApproval: row('La banque a accepté, puis la carte a refusé', otherCard),
  cardPulled: row('La carte a été retirée trop tôt', leaveIn),
  cardPulledAfterApproval: row(
    'La carte a été retirée, ou la connexion au terminal perdue, avant la fin du paiement',
    leaveIn,
  ),
  cancelledByTill: row('Annulé à la caisse', whenReady),
  cancelledAfterApproval: row('Annulé à la caisse', whenReady),
  cancelledByCustomer: row('Annulé par le client', 'Demandez au client comment continuer.'),
  pinCancelled: row('Aucun code PIN n’a été saisi', 'Recommencez, ou demandez une autre carte.'),
  timedOut: row('Aucune carte présentée à temps', 'Recommencez quand le client est prêt.'),
  cardUnsupported: row('Cette carte n’est pas prise en charge', otherCard),
  cardUnreadable: row('La carte est illisible', 'Réessayez, ou demandez une autre carte.'),
  terminalFailed: row('Erreur du terminal : {why}', 'Vérifiez le terminal et recommencez.'),
  offlineRefused: row(
    'La passerelle est injoignable, et ce paiement ne peut pas se faire hors ligne : {why}',
    'Réessayez au retour de la connexion, ou prenez des espèces.',
  ),
  unanswered: row(
    'La passerelle n’a pas répondu',
    `Pas encore connu. La caisse vérifie et annulera le paiement s’il a été débité. ${called}`,
    'N’encaissez pas à nouveau tant que ce paiement n’est pas éclairci.',
  ),
  reversed: row('La passerelle n’a pas répondu à temps, et son autorisation a été annulée', again),
  neverArrived: row('La demande n’est jamais arrivée à la passerelle', again),
  restarted: row('La caisse a redémarré avant la fin du paiement', again),
  restartedAfterApproval: row('La caisse a redémarré avant la fin du paiement', again),
  declinedAtTerminal: row('Refusé au terminal', otherCard),
  notBegunAtTerminal: row('Le terminal n’a pas commencé le paiement : {why}', 'Regardez le terminal et recommencez.'),
  neverMade: row('La connexion au terminal était perdue ; il indique maintenant n’avoir fait aucun paiement', again),
  unansweredAtTerminal: row(
    'La connexion au terminal a été perdue avant qu’il donne le résultat',
    `Pas encore connu. La caisse interroge le terminal avant le prochain paiement. ${called}`,
    'N’encaissez pas à nouveau. Lisez le résultat sur le terminal et rebranchez-le.',
  ),
  unclearAtTerminal: row(
    'Le terminal ne sait pas comment le paiement s’est terminé : {why}',
    'Inconnu. Le client a peut-être été débité.',
    'Cherchez le paiement dans le journal du terminal avant d’encaisser à nouveau, et prévenez le responsable.',
  ),
  approvedOtherAmount: row(
    'Le terminal a accepté un autre montant',
    `Pas débité : la caisse annule le montant accepté. ${called}`,
    'Faites vérifier le terminal avant de recommencer.',
  ),
  refundedOtherAmount: row(
    'Le terminal a remboursé un autre montant',
    'C’est le montant du ticket du terminal qui a été remboursé, pas celui-ci.',
    manager,
  ),
  reversedAtTerminal: row('Annulé par le terminal', 'Le client n’est pas débité.', receipt),
  reversalDeclined: row(
    'Le terminal n’a pas annulé son paiement : {why}',
    'Recommencez le remboursement : il se fait alors avec la carte du client sur le terminal.',
  ),
  otherTerminal: row(
    'Le paiement a été fait sur un autre terminal, et lui seul peut l’annuler',
    'Recommencez le remboursement : il se fait alors avec la carte du client sur ce terminal.',
  ),
  reversalRefused: row(
    'Le terminal a accepté le paiement, mais ne l’a pas annulé : {why}',
    'Remboursez ce ticket avec la carte du client.',
  ),
  personSaidDone: row('Vérifié par une personne : le paiement a abouti', 'L’argent a bougé comme demandé.', receipt),
  approvedLate: row(
    'La banque a accepté trop tard, alors que le paiement était déjà classé comme non envoyé',
    'Prévenez le responsable si le client pose la question.',
  ),
  cardDataExpired: row(
    'Pris hors ligne et non envoyé en {why} : les données de la carte ont dû être détruites',
    goodsLeft,
    'Prévenez le responsable : c’est une perte.',
  ),
  newerVersion: row(
    'Une version plus récente de ce programme a écrit ce que celle-ci ne peut pas lire : {why}',
    'Cette version ne sait pas comment le paiement s’est terminé. Elle n’y change rien et n’en envoie rien.',
    'Démarrez la version plus récente : elle reprend ce paiement. Tous les autres continuent ici.',
  ),
  personSaidNot: row('Vérifié par une personne : le paiement n’a pas abouti', again),
});
