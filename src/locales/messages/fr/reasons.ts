/** How a sale ended, in French. `{why}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { ReasonsIn } from '../en/reasons.ts';

const called = 'Si cela dure plus de 15 minutes, une personne est appelée.';
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
  voided: row('Annulé', 'Défait : aucun argent ne bouge.', receipt),
  heldMore: row('Blocage augmenté', 'Bloqué sur la carte, pas encore débité.', receipt),
  completed: row('Débit final fait', receipt),
  released: row('Blocage levé', 'Plus rien n’est bloqué sur la carte, et rien n’est débité.', receipt),
  stored: row(
    'Enregistré, à envoyer au retour de la connexion',
    'La banque le recevra au retour de la connexion.',
    'Remettez le ticket. L’envoi se fait tout seul.',
  ),
  storedRefused: row(
    'Enregistré, puis refusé par la banque',
    'Cela n’a pas eu lieu : le paiement d’origine reste tel qu’il était.',
    manager,
  ),
  nothingToFollow: row(
    'Il n’y a plus rien à faire : {why}',
    'Aucun argent n’a bougé : le paiement d’origine n’a jamais été fait.',
    'Regardez le ticket d’origine.',
  ),
  voidedBeforeSending: row(
    'Annulé avant l’envoi à la banque',
    'Pas débité : la banque n’en saura jamais rien.',
    receipt,
  ),
  approvedOffline: row('Accepté hors ligne', 'Sera débité au retour de la connexion.', receipt),
  takenOffline: row(
    'Pris hors ligne, pas encore accepté',
    'Sera débité au retour de la connexion, si la banque l’accepte alors.',
    receipt,
  ),
  holdTakenOffline: row(
    'Pris hors ligne, pas encore accepté',
    'Sera bloqué sur la carte au retour de la connexion, si la banque l’accepte alors.',
    receipt,
  ),
  heldOffline: row('Accepté hors ligne', 'Sera bloqué sur la carte au retour de la connexion.', receipt),
  declinedOnForwarding: row('Pris hors ligne, puis refusé par la banque', goodsLeft, manager),
  declinedByHost: row('Refusé', otherCard),
  refusedByHost: row('La passerelle a rejeté la demande : {why}', 'Faites vérifier la configuration de la caisse.'),
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
  cardPulledAfterApproval: row('La carte a été retirée, ou le terminal perdu, avant la fin du paiement', leaveIn),
  cancelledByTill: row('Annulé à la caisse', whenReady),
  cancelledAfterApproval: row('Annulé à la caisse', whenReady),
  cancelledByCustomer: row('Annulé par le client', 'Demandez au client comment continuer.'),
  pinCancelled: row('Aucun code PIN n’a été saisi', 'Recommencez, ou demandez une autre carte.'),
  timedOut: row('Aucune carte présentée à temps', 'Recommencez quand le client est prêt.'),
  cardUnsupported: row('Cette carte n’est pas prise en charge', otherCard),
  cardUnreadable: row('La carte est illisible', 'Réessayez, ou demandez une autre carte.'),
  terminalFailed: row('Le terminal a échoué : {why}', 'Vérifiez le terminal et recommencez.'),
  offlineRefused: row(
    'La passerelle est injoignable, et ce paiement ne peut pas se faire hors ligne : {why}',
    'Réessayez au retour de la connexion, ou prenez des espèces.',
  ),
  unanswered: row(
    'La passerelle n’a pas répondu',
    `Inconnu. Elle est interrogée, et ce qui a été débité est repris. ${called}`,
    'N’encaissez pas à nouveau avant que ce paiement soit réglé.',
  ),
  reversed: row('La passerelle n’a pas répondu à temps ; ce qu’elle avait accepté a été repris', again),
  neverArrived: row('La demande n’est jamais arrivée à la passerelle', again),
  restarted: row('La caisse a redémarré avant la fin du paiement', again),
  restartedAfterApproval: row('La caisse a redémarré avant la fin du paiement', again),
  declinedAtTerminal: row('Refusé au terminal', otherCard),
  notBegunAtTerminal: row('Le terminal n’a pas commencé : {why}', 'Regardez le terminal et recommencez.'),
  neverMade: row('Le terminal était perdu et dit maintenant n’avoir fait aucun paiement', again),
  unansweredAtTerminal: row(
    'Le terminal a été perdu avant de donner le résultat',
    `Inconnu. Le terminal est interrogé avant le prochain paiement. ${called}`,
    'N’encaissez pas à nouveau. Lisez le résultat sur le terminal et rebranchez-le.',
  ),
  unclearAtTerminal: row(
    'Le terminal ne sait pas dire ce qu’est devenu le paiement : {why}',
    'Inconnu. Il a pu être débité.',
    'Cherchez-le dans le journal du terminal avant d’encaisser une autre fois, et prévenez la gérance.',
  ),
  approvedOtherAmount: row(
    'Le terminal a accepté un autre montant',
    `Pas débité : ce qui a été accepté est rendu tout seul. ${called}`,
    'Faites vérifier le terminal avant de recommencer.',
  ),
  refundedOtherAmount: row(
    'Le terminal a remboursé un autre montant',
    'C’est le montant du ticket du terminal qui a été remboursé, pas celui-ci.',
    manager,
  ),
  reversedAtTerminal: row('Remboursé : le terminal a repris son paiement', 'Le client n’est pas débité.', receipt),
  reversalDeclined: row(
    'Le terminal ne reprend pas son paiement : {why}',
    'Recommencez le remboursement : il se fait alors avec la carte du client au terminal.',
  ),
  otherTerminal: row(
    'Le paiement a été fait sur un autre terminal, et lui seul peut le reprendre',
    'Recommencez le remboursement : il se fait alors avec la carte du client à ce terminal.',
  ),
  reversalRefused: row(
    'Le terminal avait accepté et ne revient pas dessus : {why}',
    'Rendez l’argent : remboursez ce ticket avec la carte du client.',
  ),
  personSaidDone: row('Vérifié : il a eu lieu', 'L’argent a bougé comme demandé.', receipt),
  approvedLate: row(
    'La banque a accepté tard, alors que le paiement était déjà classé comme non envoyé',
    'Prévenez la gérance si le client pose la question.',
  ),
  cardDataExpired: row(
    'Pris hors ligne et non envoyé en {why} : les données de la carte ont dû être détruites',
    goodsLeft,
    'Prévenez la gérance : c’est une perte.',
  ),
  newerVersion: row(
    'Une version plus récente de ce programme a écrit ce que celle-ci ne peut pas lire : {why}',
    'Cette version ne peut pas dire ce qu’il est devenu. Elle n’y change rien et n’en envoie rien.',
    'Démarrez la version plus récente : elle reprend ce paiement. Tous les autres continuent ici.',
  ),
  personSaidNot: row('Vérifié : aucun paiement de ce genre n’a été fait', again),
});
