/** What went wrong, in French. `{name}` is filled with the facts of the case. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';
import { faultsOfBooks } from './faults-books.ts';
import { faultsOfDevices } from './faults-devices.ts';

const nothing = 'Rien n’a été débité.';

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
    nothing,
    'Connectez-vous et réessayez. Un paiement en cours continue tout seul.',
  ),
  'session.notAllowed': row(
    '{who} n’a pas le droit de faire cela',
    nothing,
    'Demandez à la gérance de saisir son code PIN.',
  ),
  'request.malformed': row('La demande n’est pas comme il faut : « {why} »', nothing, 'Corrigez et réessayez.'),
  'request.foreign': row(
    'La demande a été rejetée : « {why} »',
    nothing,
    'Ouvrez la page de la caisse elle-même et connectez-vous-y.',
  ),
  'staff.refused': row(
    'Le nom ou le code PIN est faux',
    nothing,
    'Réessayez. Après cinq codes faux, le nom est bloqué un moment.',
  ),
  'staff.locked': row(
    'Trop de codes faux : ce nom est bloqué encore {minutes} minutes',
    nothing,
    'Attendez, ou demandez à la gérance un nouveau code PIN.',
  ),
  'staff.notAllowed': row('{name} n’a pas ce droit ici', nothing, 'Demandez à quelqu’un qui l’a.'),
  'staff.pinWeak': row('Ce code PIN est refusé : « {why} »', nothing, 'Choisissez-en un autre de 4 à 12 chiffres.'),
  'staff.name': row('Un nom a de 1 à 40 lettres, espaces, points ou traits d’union', nothing, 'Corrigez et réessayez.'),
  'staff.known': row(
    '{name} est déjà connu ici',
    nothing,
    'Choisissez un autre nom, ou retirez d’abord cette personne.',
  ),
  'staff.lastManager': row(
    '{name} est la seule gérance de cette caisse',
    nothing,
    'Ajoutez d’abord quelqu’un d’autre à la gérance.',
  ),
  'till.notFound': row(
    'Aucun paiement n’a le numéro de ticket {receipt}',
    nothing,
    'Vérifiez le numéro sur le ticket.',
  ),
  'till.nothingLeft': row(
    'Il ne reste rien à rembourser sur le ticket {receipt} : « {why} »',
    'Rien n’a été remboursé.',
    'Regardez le paiement.',
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
  'books.nothingToClose': row(
    'Rien à clôturer : aucun paiement n’a commencé depuis la dernière clôture',
    nothing,
    'Regardez les lots clôturés.',
  ),
};
