/** What went wrong, in French. `{name}` is filled with the facts of the case. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';
import { faultsOfBooks } from './faults-books.ts';
import { faultsOfDevices } from './faults-devices.ts';

const nothing = 'Rien n’a été débité.';
const unchanged = 'Rien n’a été modifié.';
const undone = 'Rien n’a été fait.';

export const faults: SaidTables['faults'] = {
  ...faultsOfBooks,
  ...faultsOfDevices,
  'till.away': row(
    'Le programme de caisse ne répond pas',
    'Un paiement en cours continue tout seul et n’est pas perdu.',
    'Attendez un instant : cette page se reconnecte toute seule.',
  ),
  'program.failed': row(
    'Quelque chose d’imprévu a mal tourné : « {why} »',
    'Ce qui est écrit est en sûreté.',
    'Recommencez : la caisse termine toute seule les paiements ouverts. Dites à l’assistance ce que vous faisiez.',
  ),
  'session.needed': row(
    'Personne n’est connecté',
    undone,
    'Connectez-vous et réessayez. Un paiement en cours continue tout seul.',
  ),
  'session.code': row(
    'Ce code n’ouvre pas la caisse, ou ne l’ouvre plus',
    unchanged,
    'Prenez l’adresse que la caisse a affichée à son dernier démarrage. Une fois des personnes ajoutées, connectez-vous ' +
      'par votre nom.',
  ),
  'session.pinNeeded': row('Cela se signe avec un code PIN : {what}', undone, 'Saisissez votre code PIN pour cela.'),
  'session.notAllowed': row(
    '{who} n’a pas le droit de faire cela : {what}',
    undone,
    'Demandez à la gérance de saisir son code PIN.',
  ),
  'text.cardData': row(
    'La saisie contient des données de carte, que la caisse ne garde nulle part sans chiffrement : {where}',
    undone,
    'Retirez le numéro de la carte, son cryptogramme et les données de sa piste, puis réessayez.',
  ),
  'request.malformed': row('Un champ n’est pas rempli comme il faut : « {why} »', undone, 'Corrigez et réessayez.'),
  'request.foreign': row(
    'La demande a été rejetée : « {why} »',
    undone,
    'Ouvrez la page de la caisse elle-même et connectez-vous-y.',
  ),
  'staff.refused': row(
    'Le nom ou le code PIN est faux',
    unchanged,
    'Réessayez. Après cinq essais faux, un essai est possible par minute.',
  ),
  'staff.locked': row(
    'Trop de codes faux ont été essayés. Minutes jusqu’au prochain essai : {minutes}',
    unchanged,
    'Attendez, puis réessayez. Dans un navigateur où la gérance s’est connectée, les essais faux faits ailleurs ne comptent pas.',
  ),
  'staff.notAllowed': row('{name} n’a pas ce droit ici', undone, 'Demandez à quelqu’un qui l’a.'),
  'staff.pinWeak': row('Ce code PIN est refusé : « {why} »', unchanged, 'Choisissez-en un autre de 4 à 12 chiffres.'),
  'staff.name': row(
    'Un nom a de 1 à 40 lettres, espaces, points ou traits d’union',
    unchanged,
    'Corrigez et réessayez.',
  ),
  'staff.known': row(
    '{name} est déjà connu ici',
    unchanged,
    'Choisissez un autre nom, ou retirez d’abord cette personne.',
  ),
  'staff.newer': row(
    'Une version plus récente de ce programme a écrit sur le personnel ce que celle-ci ne peut pas lire : {what}',
    'Rien n’a été changé. Chacun se connecte comme avant.',
    'Démarrez la version plus récente et changez le personnel là-bas.',
  ),
  'staff.lastManager': row(
    '{name} est la seule gérance de cette caisse',
    unchanged,
    'Ajoutez d’abord quelqu’un d’autre à la gérance.',
  ),
  'till.notFound': row('Aucun paiement n’a le numéro de ticket {receipt}', undone, 'Vérifiez le numéro sur le ticket.'),
  'events.elsewhere': row(
    'La caisse ne connaît pas l’événement après lequel elle doit continuer : une autre caisse l’a annoncé, ou cette copie l’a perdu',
    unchanged,
    'Relisez les listes de paiements, puis écoutez à partir de {here}.',
  ),
  'events.tooOld': row(
    'L’événement après lequel la caisse doit continuer est trop ancien : ce qui l’a suivi n’est plus annoncé',
    unchanged,
    'Relisez les listes de paiements, puis écoutez à partir de {here}.',
  ),
  'receipt.elsewhere': row(
    'Le ticket {receipt} vient d’une autre caisse : le terminal {terminalId} a pris ce paiement',
    'Rien n’a été remboursé.',
    'Cherchez-le à la caisse dont les tickets portent le terminal {terminalId}. Elle seule peut rembourser.',
  ),
  'receipt.unknown': row(
    'Ce code n’est celui d’aucun paiement de cette caisse',
    'Rien n’a été remboursé.',
    'Lisez le numéro de terminal sur le ticket et cherchez-le à cette caisse-là. Cette caisse a le numéro {terminalId}.',
  ),
  'receipt.notYet': row(
    'Le paiement du ticket {receipt} n’est pas encore terminé : il n’a pas encore de ticket',
    'Sa fin dira s’il est débité. Tout va bien pour ce paiement.',
    'Redemandez le ticket quand le paiement sera terminé.',
  ),
  'till.nothingLeft': row(
    'Il ne reste rien à rembourser sur le ticket {receipt} : « {why} »',
    'Rien n’a été remboursé.',
    'Regardez le paiement.',
  ),
  'unpaid.none': row('Rien du ticket {receipt} n’est impayé', 'Il reste tel qu’il est.', 'Regardez la vente.'),
  'unpaid.underWay': row(
    'Le ticket {receipt} est déjà débité à nouveau, avec le ticket {again}',
    'Cette vente n’a pas encore de fin : redemandée, le client pourrait payer deux fois.',
    'Attendez sa fin.',
  ),
  'unpaid.tooMuch': row(
    'Du ticket {receipt}, {missing} est impayé, et {amount} devait être débité',
    nothing,
    'Débitez ce qui est impayé, ou moins.',
  ),
  'unpaid.cardSpent': row(
    'Le réseau de la carte n’autorise plus d’essai pour le ticket {receipt}',
    nothing,
    'Demandez au client de payer autrement, puis dites que le ticket a été réglé autrement.',
  ),
  'unpaid.notYet': row(
    'Le réseau de la carte autorise le prochain essai pour le ticket {receipt} à partir de {from}',
    nothing,
    'Réessayez alors, ou demandez au client de payer autrement.',
  ),
  'till.refundTooHigh': row(
    'Au plus {left} peuvent être remboursés sur le ticket {receipt}',
    nothing,
    'Remboursez ce montant ou moins.',
  ),
  'till.cannotFollow': row(
    'Cela ne peut pas suivre le ticket {receipt} ({operation}) : « {why} »',
    'Aucun argent n’a bougé. Le ticket {receipt} reste tel qu’il était.',
    'Regardez le paiement.',
  ),
  'till.unresolved': row(
    'Le paiement {sale} est encore inconnu',
    'Il a pu être débité. On le demande.',
    'N’encaissez pas une autre fois. Attendez la passerelle, ou appelez la gérance.',
  ),
  'amount.malformed': row(
    '« {text} » n’est pas un montant en {currency} : « {why} »',
    nothing,
    'Écrivez-le comme 12.50.',
  ),
  'amount.unpositive': row('Un montant de {amount} ne peut être ni pris ni rendu', nothing, 'Donnez plus que zéro.'),
  'books.newer': row(
    'Une version plus récente de ce programme a écrit sur le lot {batch} ce que celle-ci ne peut pas lire : {what}',
    'Rien n’a été compté ni clôturé. Les paiements continuent et restent dans ce lot.',
    'Démarrez la version plus récente et clôturez le lot là-bas.',
  ),
  'books.nothingToClose': row(
    'Rien à clôturer : aucun paiement n’a commencé depuis la dernière clôture',
    unchanged,
    'Regardez les lots clôturés.',
  ),
};
