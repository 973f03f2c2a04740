/** What went wrong with payments, books, people and settings, in French. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'Rien n’a été débité.';
const undone = 'Rien n’a été fait.';
const unchanged = 'Rien n’a été modifié.';
const callSupport = 'Gardez les données de la caisse et appelez l’assistance.';

export const faultsOfBooks: SaidTables['faults'] = {
  'amount.unrepresentable': row(
    'Un montant de {minor} unités mineures de {currency} ne peut pas s’écrire avec deux décimales',
    nothing,
    'Arrondissez à la dizaine d’unités mineures la plus proche.',
  ),
  'currency.unknown': row('« {text} » n’est pas une monnaie ISO 4217', nothing, 'Employez un code comme EUR.'),
  'currency.differs': row(
    'Un montant en {left} ne peut pas être calculé avec un montant en {right}',
    nothing,
    'Corrigez-le et réessayez.',
  ),
  'file.held': row(
    'Un autre programme a ouvert {file}, qui n’a pas pu être écrit',
    unchanged,
    'Attendez que l’antivirus, la sauvegarde ou la synchronisation ait fini, ou arrêtez-la. Puis réessayez.',
  ),
  'folder.unusable': row(
    'Le dossier {path} ne peut pas être utilisé : « {why} »',
    unchanged,
    'Faites changer les droits du dossier, ou prenez-en un autre.',
  ),
  'config.malformed': row(
    'La configuration {file} ne peut pas être utilisée : « {why} »',
    unchanged,
    'Corrigez-la et réessayez.',
  ),
  'config.notAllowed': row(
    '{who} n’a pas le droit de changer {fields}',
    unchanged,
    'Demandez à un responsable de saisir son code PIN pour cela, ou laissez ces réglages tels quels.',
  ),
  'config.nothingToUndo': row(
    'Aucune configuration importée ne peut être annulée',
    unchanged,
    'Importez celle que vous voulez.',
  ),
  'command.malformed': row('Ces indications ne conviennent pas : « {why} »', nothing, 'Corrigez-les et réessayez.'),
  'journal.corrupt': row(
    'L’entrée {entry} du journal échoue à son contrôle : « {why} »',
    'Rien n’est modifié ni réparé. Ce qui s’est passé avant l’entrée {entry} est fiable.',
    'Gardez le dossier {data} et appelez l’assistance.',
  ),
  'journal.newer': row(
    'Le journal dans {data} est de version {version} ; ce programme le connaît jusqu’à {newest}',
    'Rien n’est modifié. Ce qui est enregistré reste enregistré.',
    'Démarrez le programme plus récent qui a travaillé en dernier avec cette caisse.',
  ),
  'journal.unproven': row(
    'Amener le journal dans {data} à la version {step} aurait changé ce que contient la caisse',
    'Cela a été défait. Le journal est tel qu’il était.',
    'Continuez avec l’ancien programme, gardez le dossier et appelez l’assistance.',
  ),
  'journal.unreadable': row(
    'Le journal dans {data} est endommagé : « {why} »',
    'Rien n’est modifié ni réparé. Ce qui peut encore être lu est gardé.',
    'Gardez le dossier {data} et appelez l’assistance.',
  ),
  'journal.gone': row(
    'Le journal {path} a disparu, alors que cette caisse a servi',
    'Il contient des paiements enregistrés et des affaires inachevées.',
    'Rétablissez le dossier depuis sa sauvegarde. Pour repartir de zéro, déplacez le dossier entier ailleurs.',
  ),
  'journal.unwritable': row(
    'Le journal ne peut pas être écrit : « {why} »',
    nothing,
    'Libérez de la place sur le disque ou vérifiez-le, puis redémarrez la caisse.',
  ),
  'journal.busy': row(
    'Une autre caisse travaille déjà sur {data} : avec ses écrans, ou comme commande',
    nothing,
    'Utilisez ses écrans, qui font tout ce que font les commandes, ou terminez-la d’abord par « till ' +
      'stop ». Ce qu’elle fait continue.',
  ),
  'secrets.gone': row(
    'Les secrets de la caisse {path} ont disparu, ou appartiennent à une autre caisse',
    'Sans eux, les paiements enregistrés ne peuvent pas être ouverts. Ils restent enregistrés.',
    'Rétablissez le fichier depuis sa sauvegarde.',
  ),
  'secrets.sealed': row(
    '{file} est scellé par une clé que garde le magasin de clés de cette machine',
    unchanged,
    'Ouvrez la fenêtre de la caisse elle-même.',
  ),
  'till.unrecorded': row(
    'Le paiement {sale} n’a pas pu être écrit jusqu’au bout : « {why} »',
    'Il a pu être débité. La caisse le découvrira toute seule quand elle pourra de nouveau écrire.',
    'Libérez de la place sur le disque ou vérifiez-le. Regardez ce paiement avant d’encaisser une autre fois.',
  ),
  'sale.newer': row(
    'Une version plus récente de ce programme a écrit sur le ticket {receipt} ce que celle-ci ne peut pas lire : {what}',
    'Aucun argent n’a bougé. Le ticket {receipt} reste tel qu’il est.',
    'Démarrez la version plus récente : elle reprend ce paiement. Tous les autres continuent ici.',
  ),
  'till.nothingOpen': row('Le ticket {receipt} n’attend personne', 'Il reste tel qu’il est.', 'Regardez le paiement.'),
  'till.heldTooLittle': row(
    'Il reste au plus {left} bloqués sur le ticket {receipt}, et {wanted} sont demandés',
    'Aucun argent n’a bougé. Ce qui est bloqué reste bloqué.',
    'Bloquez d’abord {more} de plus, puis faites le débit final ; ou débitez {left} ou moins.',
  ),
  'till.amountFixed': row(
    'Le montant du ticket {receipt} ne peut plus être fixé : il l’est déjà, ou le paiement est terminé',
    'Le paiement continue comme avant.',
    'Regardez le paiement. Pour un autre montant, annulez-le et recommencez.',
  ),
  'till.stopping': row(
    'La caisse est en train de s’arrêter',
    undone,
    'Réessayez la même chose dans dix secondes, et jusqu’à ce que la caisse réponde : rien n’est fait deux fois. ' +
      'Démarrez-la si elle ne démarre pas d’elle-même. Un paiement en cours est d’abord mené à son terme.',
  ),
  'staff.nobody': row(
    'Personne n’est encore connu de cette caisse',
    unchanged,
    'Ajoutez la première gérance sur la page de connexion.',
  ),
  'staff.needed': row('Quelqu’un doit en répondre : « {what} »', undone, 'Connectez-vous à votre nom et réessayez.'),
  'staff.unknown': row(
    'Personne du nom de {name} n’est connu ici',
    unchanged,
    'Regardez sous « Personnel » qui est connu.',
  ),
  'browser.unknown': row(
    'Ce navigateur n’est pas de ceux qui montrent les noms',
    unchanged,
    'Relisez la liste : quelqu’un l’a peut-être déjà retiré.',
  ),
  'staff.firstManager': row(
    'La première personne d’une caisse doit être de la gérance',
    unchanged,
    'Ajoutez d’abord une gérance.',
  ),
  'queue.held': row(
    'Cette file est déjà en cours d’envoi, par {holder}',
    'Rien n’a été envoyé deux fois.',
    'Attendez que ce soit fini.',
  ),
  'queue.nothingWaits': row(
    'Rien du ticket {receipt} n’attend d’être envoyé',
    'Rien n’a été envoyé.',
    'Regardez sous « Points ouverts » ce qui attend.',
  ),
  'queue.tried': row(
    'Le message {id} a peut-être déjà été envoyé : il ne peut plus être retiré de la file',
    'Rien n’a été modifié. Il sera envoyé, ou l’on se renseignera à son sujet, à son tour.',
    'Attendez sa réponse, puis rendez l’argent.',
  ),
  'gift.malformed': row(
    'Ce n’est pas un numéro de carte cadeau : « {why} »',
    nothing,
    'Scannez-la de nouveau, ou tapez les chiffres de la carte.',
  ),
  'sale.likely': row(
    'Ce montant a peut-être déjà été encaissé : {amount}, reçu {receipts}, n’a pas encore de résultat connu',
    'Rien n’a été encaissé cette fois. Ce qui précède l’a peut-être été.',
    'Demandez si c’est le même client ; si oui, attendez ce résultat. Si c’est un autre, confirmez-le.',
  ),
  'bill.none': row(
    'Le ticket {receipt} n’appartient à aucune addition payée en plusieurs fois',
    nothing,
    'Donnez un ticket de l’addition, ou encaissez comme d’habitude.',
  ),
  'bill.tooMuch': row(
    'Sur cette addition il reste {left} à payer, et {unknown} de plus attendent leur résultat',
    nothing,
    'Prenez ce qui reste, ou moins. N’encaissez pas une autre fois ce qui attend avant d’en connaître le résultat.',
  ),
  'copy.failed': row(
    'La seconde copie dans {folder} ne peut pas être tenue : « {why} »',
    'Rien n’est perdu : le journal lui-même est entier, et les ventes continuent.',
    'Occupez-vous de ce disque ou de ce partage. La copie se rattrape toute seule.',
  ),
  'seal.broken': row(
    'L’enregistrement {id} ne peut pas être ouvert',
    'Il n’a pas été envoyé. Il reste enregistré.',
    callSupport,
  ),
  'books.unbalanced': row(
    'Les comptes ne tombent pas juste à {amount} : « {why} »',
    'L’étape n’a pas été écrite. Ce qui a été écrit avant est en sûreté.',
    'N’encaissez pas une autre fois. Appelez l’assistance et gardez les données de la caisse.',
  ),
  'books.notFound': row('Il n’y a pas de lot {batch} sur cette caisse', unchanged, 'Regardez les lots.'),
  'books.openMoney': row(
    'Le lot ne peut pas être clôturé : {count} de ses paiements ne sont pas terminés : « {amounts} »',
    'Ce qu’ils signifient pour l’argent n’est pas encore connu ou pas encore envoyé. Rien n’a été clôturé.',
    'Réglez chacun comme indiqué ; ou clôturez quand même, avec un motif.',
  ),
  'books.closeWaited': row(
    'La clôture a attendu {minutes} minutes un paiement en cours, qui continue : ticket {receipts}',
    'Rien n’a été clôturé. Le paiement continue.',
    'Relancez la clôture quand le paiement sera terminé, ou annulez-le à sa caisse.',
  ),
  'books.closeCancelled': row(
    'La clôture a été annulée pendant qu’elle attendait un paiement en cours : ticket {receipts}',
    'Rien n’a été clôturé. Le paiement continue.',
    'Relancez la clôture quand vous voulez.',
  ),
  'books.gatewaySilent': row(
    'La passerelle n’a pas répondu pour {count} paiements du lot ; rien n’a donc pu être comparé',
    'Tous les paiements sont au journal. Les nouveaux paiements vont dans le lot suivant.',
    'Relancez la clôture au retour de la ligne : elle reprend où elle s’est arrêtée.',
  ),
  'books.overrideMalformed': row(
    'Pour clôturer malgré tout, il manque quelque chose : « {why} »',
    'Rien n’a été clôturé.',
    'Connectez-vous à votre nom et donnez un motif.',
  ),
  'books.zBroken': row(
    'Le rapport Z {number} échoue à son contrôle : « {why} »',
    'Les paiements eux-mêmes sont au journal, qui a sa propre chaîne.',
    callSupport,
  ),
  'settlement.notFound': row(
    'Il n’y a pas de rapprochement {id}, ou pas de telle différence dans celui-ci',
    unchanged,
    'Regardez la liste des rapprochements, ou déposez de nouveau le fichier de règlement.',
  ),
  'settlement.unreadable': row(
    'Le fichier de règlement {file} ne peut pas être utilisé : « {why} »',
    unchanged,
    'Redemandez le fichier : CSV en UTF-8, avec points-virgules et ligne d’en-tête.',
  ),
  'till.reopening': row(
    'La caisse est en train d’être rouverte, et ce qui était en cours a été arrêté',
    undone,
    'Renvoyez-le dans quelques secondes.',
  ),
  'till.occupied': row(
    'La caisse ne peut pas encore être rouverte : une demande est en cours',
    undone,
    'Il n’y a rien à faire : un nouvel essai se fait tout seul.',
  ),
  'upload.underWay': row(
    'Un autre de vos fichiers est encore en cours de lecture',
    unchanged,
    'Attendez la fin de la lecture, ou arrêtez cet envoi, puis envoyez ce fichier.',
  ),
  'upload.stalled': row(
    'L’envoi a été arrêté : il a apporté moins de {bytes} octets en {seconds} s',
    unchanged,
    'Vérifiez la connexion, puis renvoyez le fichier.',
  ),
  'session.changed': row(
    'Quelqu’un s’est connecté de nouveau dans une autre fenêtre de ce navigateur',
    undone,
    'Regardez qui est connecté maintenant, et réessayez.',
  ),
  'posKey.known': row('Il y a déjà une clé pour {name}', unchanged, 'Retirez-la d’abord, ou choisissez un autre nom.'),
  'posKey.unknown': row('Il n’y a pas de clé pour {name}', unchanged, 'Regardez la liste des clés.'),
  'posKey.full': row(
    'Aucune clé n’a été faite : cette caisse a {count} clés et peut en avoir {most}',
    unchanged,
    'Retirez-en une dont plus aucun programme ne se sert, puis faites la clé.',
  ),
  'posKey.malformed': row('Aucune clé n’a été faite : « {why} »', unchanged, 'Corrigez les indications et réessayez.'),
  'request.tooLarge': row('La demande a plus de {bytes} octets', undone, 'Envoyez moins à la fois.'),
  'request.unknown': row('Il n’y a rien à {path}', undone, 'Consultez /api/openapi.json.'),
  'request.keyReused': row(
    'L’Idempotency-Key a déjà servi pour une autre demande',
    'La première demande reste telle qu’elle est ; celle-ci n’a rien fait.',
    'Prenez une nouvelle clé pour une nouvelle demande.',
  ),
};
