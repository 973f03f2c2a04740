/** What went wrong, in French. `{name}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { FaultsIn } from '../en/faults.ts';
import type { MoneyIn } from '../en/reasons.ts';

const callSupport = 'Gardez les données de la caisse et appelez l’assistance.';
const notTheSale = 'Le paiement n’est pas concerné.';
const cardAgain = 'Essayez la carte une nouvelle fois.';

/** What it means for the money, by the English. */
export const money = translator<MoneyIn>()('fr', {
  'Nothing was charged.': 'Rien n’a été débité.',
  'Nothing was changed.': 'Rien n’a été modifié.',
  'Unknown until the till has checked.': 'Inconnu tant que la caisse n’a pas vérifié.',
  'Nothing was done.': 'Rien n’a été fait.',
  'Nothing was refunded.': 'Rien n’a été remboursé.',
  'Charged.': 'Débité.',
  'Not charged.': 'Pas débité.',
  'Not charged: the till is reversing the bank’s approval. If this takes longer than 15 minutes, the till asks a person to look into it.':
    'Pas débité : la caisse annule l’autorisation de la banque. Si cela dure plus de 15 minutes, elle demande à une personne de vérifier.',
});

export const faults = translator<FaultsIn>()('fr', {
  'amount.unrepresentable': row(
    'Un montant de {minor} unités mineures de {currency} ne peut pas s’écrire avec deux décimales',
    'Arrondissez à la dizaine d’unités mineures la plus proche.',
  ),
  'currency.unknown': row('« {text} » n’est pas une monnaie ISO 4217', 'Utilisez un code comme EUR.'),
  'currency.differs': row(
    'Un montant en {left} ne peut pas être combiné avec un montant en {right}',
    'Corrigez-le et réessayez.',
  ),
  'file.held': row(
    'Un autre programme a ouvert {file}, qui n’a pas pu être écrit',
    'Attendez que l’antivirus, la sauvegarde ou la synchronisation ait fini, ou arrêtez-la. Puis réessayez.',
  ),
  'folder.unusable': row(
    'Le dossier {path} ne peut pas être utilisé : « {why} »',
    'Faites changer les droits du dossier, ou prenez-en un autre.',
  ),
  'config.malformed': row('La configuration {file} ne peut pas être utilisée : « {why} »', 'Corrigez-la et réessayez.'),
  'config.notAllowed': row(
    '{who} n’a pas le droit de changer {fields}',
    'Demandez à un responsable de saisir son code PIN pour cela, ou laissez ces réglages tels quels.',
  ),
  'config.nothingToUndo': row('Il n’y a pas de configuration importée à annuler', 'Importez celle que vous voulez.'),
  'command.malformed': row('Ces indications ne sont pas valables : « {why} »', 'Corrigez-les et réessayez.'),
  'journal.corrupt': row(
    'L’entrée {entry} du journal échoue à son contrôle : « {why} »',
    'Rien n’est modifié ni réparé. Les entrées avant {entry} sont fiables.',
    'Gardez le dossier {data} et appelez l’assistance.',
  ),
  'journal.newer': row(
    'Le journal dans {data} est de version {version} ; ce programme lit les versions jusqu’à {newest}',
    'Rien n’est modifié. Les paiements enregistrés le restent.',
    'Démarrez le programme plus récent que cette caisse a utilisé en dernier.',
  ),
  'journal.unproven': row(
    'Amener le journal dans {data} à la version {step} aurait changé ce que contient la caisse',
    'La mise à niveau a été annulée. Le journal est inchangé.',
    'Continuez avec l’ancien programme, gardez le dossier et appelez l’assistance.',
  ),
  'journal.unreadable': row(
    'Le journal dans {data} est endommagé : « {why} »',
    'Rien n’est modifié ni réparé. Ce qui peut encore être lu est conservé.',
    'Gardez le dossier {data} et appelez l’assistance.',
  ),
  'journal.gone': row(
    'Le journal {path} a disparu, alors que cette caisse a servi',
    'Il contient des paiements enregistrés et inachevés.',
    'Restaurez le dossier depuis sa sauvegarde. Pour repartir de zéro, déplacez le dossier entier ailleurs.',
  ),
  'journal.unwritable': row(
    'Le journal ne peut pas être écrit : « {why} »',
    'Libérez de la place sur le disque ou vérifiez-le, puis redémarrez la caisse.',
  ),
  'journal.busy': row(
    'Une autre caisse utilise déjà {data} : avec ses écrans, ou par une commande',
    'Utilisez ses écrans, qui font tout ce que font les commandes, ou arrêtez-la d’abord par « till stop ». Les paiements en cours continuent.',
  ),
  'secrets.gone': row(
    'Les secrets de la caisse {path} manquent ou appartiennent à une autre caisse',
    'Sans eux, les paiements enregistrés ne peuvent pas être ouverts. Ils restent enregistrés.',
    'Restaurez le fichier depuis sa sauvegarde.',
  ),
  'secrets.sealed': row(
    '{file} est chiffré avec une clé du magasin de clés de cette machine',
    'Ouvrez la fenêtre de la caisse elle-même.',
  ),
  'till.unrecorded': row(
    'La fin du paiement {sale} n’a pas pu être enregistrée : « {why} »',
    'Le client a peut-être été débité. La caisse vérifie automatiquement dès qu’elle peut de nouveau écrire.',
    'Libérez de la place sur le disque ou vérifiez-le. Regardez ce paiement avant d’encaisser à nouveau.',
  ),
  'till.gone': row(
    'La caisse s’est arrêtée avant d’indiquer comment cela s’est terminé : « {why} »',
    'Le client a peut-être été débité. La caisse vérifie automatiquement une fois redémarrée.',
    'Démarrez la caisse. Regardez les derniers paiements avant d’encaisser à nouveau.',
  ),
  'sale.newer': row(
    'Une version plus récente de ce programme a écrit sur le ticket {receipt} ce que celle-ci ne peut pas lire : {what}',
    'Aucun argent n’a bougé. Le ticket {receipt} est inchangé.',
    'Démarrez la version plus récente : elle reprend ce paiement. Tous les autres continuent ici.',
  ),
  'till.nothingOpen': row('Le ticket {receipt} n’attend aucune décision', 'Il est inchangé.', 'Regardez le paiement.'),
  'till.heldTooLittle': row(
    'Il reste au plus {left} bloqués sur le ticket {receipt}, mais il faut {wanted}',
    'Aucun argent n’a bougé. Le blocage est inchangé.',
    'Augmentez d’abord le blocage de {more}, puis faites le débit final ; ou débitez {left} ou moins.',
  ),
  'till.amountFixed': row(
    'Le montant du ticket {receipt} ne peut plus être fixé : il l’est déjà, ou le paiement est terminé',
    'Le paiement est inchangé.',
    'Regardez le paiement. Pour un autre montant, annulez-le et recommencez.',
  ),
  'till.stopping': row(
    'La caisse est en train de s’arrêter',
    'Répétez la même demande dans dix secondes, et jusqu’à ce que la caisse réponde : rien n’est fait deux fois. Démarrez la caisse si elle ne démarre pas d’elle-même. Un paiement en cours est d’abord mené à son terme.',
  ),
  'staff.nobody': row(
    'Personne n’a encore été ajouté à cette caisse',
    'Ajoutez le premier responsable sur la page de connexion.',
  ),
  'staff.needed': row(
    'Il faut le nom d’une personne responsable : « {what} »',
    'Connectez-vous à votre nom et réessayez.',
  ),
  'staff.unknown': row('Il n’y a personne du nom de {name} ici', 'Regardez la liste sous « Personnel ».'),
  'browser.unknown': row(
    'Ce navigateur n’est pas dans la liste de ceux qui montrent les noms',
    'Rechargez la liste : quelqu’un l’a peut-être déjà retiré.',
  ),
  'staff.firstManager': row(
    'La première personne d’une caisse doit être un responsable',
    'Ajoutez d’abord un responsable.',
  ),
  'queue.held': row(
    'Cette file est déjà en cours d’envoi, par {holder}',
    'Rien n’a été envoyé deux fois.',
    'Attendez que ce soit fini.',
  ),
  'queue.nothingWaits': row(
    'Rien du ticket {receipt} n’attend d’être envoyé',
    'Rien n’a été envoyé.',
    'Regardez la file sous « Points ouverts ».',
  ),
  'queue.tried': row(
    'Le message {id} a peut-être déjà été envoyé : il ne peut plus être retiré de la file',
    'Rien n’a été modifié. La caisse l’enverra, ou se renseignera à son sujet, à son tour.',
    'Attendez sa réponse, puis remboursez.',
  ),
  'gift.malformed': row(
    'Ce n’est pas un numéro de carte cadeau : « {why} »',
    'Scannez-la de nouveau, ou tapez les chiffres de la carte.',
  ),
  'sale.likely': row(
    'Ce montant a peut-être déjà été débité : le résultat de {amount}, ticket {receipts}, n’est pas encore connu',
    'Le nouveau paiement n’a pas été commencé. Le précédent a peut-être été débité.',
    'Demandez si c’est le même client ; si oui, attendez ce résultat. Si c’est un autre, confirmez-le.',
  ),
  'bill.none': row(
    'Le ticket {receipt} n’appartient à aucune addition partagée',
    'Donnez un ticket de l’addition, ou encaissez comme d’habitude.',
  ),
  'bill.tooMuch': row(
    'Il reste {left} à payer sur cette addition, et le résultat de {unknown} de plus n’est pas encore connu',
    'Encaissez le reste, ou moins. N’encaissez pas à nouveau le montant incertain avant d’en connaître le résultat.',
  ),
  'copy.failed': row(
    'La seconde copie dans {folder} ne peut pas être écrite : « {why} »',
    'Rien n’est perdu : le journal lui-même est entier, et les ventes continuent.',
    'Vérifiez ce disque ou ce partage. La copie rattrape automatiquement son retard.',
  ),
  'seal.broken': row(
    'L’enregistrement {id} ne peut pas être ouvert',
    'Il n’a pas été envoyé. Il reste enregistré.',
    callSupport,
  ),
  'books.unbalanced': row(
    'Les comptes ne tombent pas juste à {amount} : « {why} »',
    'L’étape n’a pas été enregistrée. Tout ce qui l’a été avant est en sûreté.',
    'N’encaissez pas à nouveau. Appelez l’assistance et gardez les données de la caisse.',
  ),
  'books.notFound': row('Il n’y a pas de lot {batch} sur cette caisse', 'Regardez les lots.'),
  'books.openMoney': row(
    'Le lot ne peut pas être clôturé : {count, plural, one {# de ses paiements n’est pas terminé} many {# de ses paiements ne sont pas terminés} other {# de ses paiements ne sont pas terminés}} : « {amounts} »',
    'Leur résultat n’est pas connu, ou ils n’ont pas encore été envoyés. Rien n’a été clôturé.',
    'Réglez chacun comme indiqué ; ou clôturez quand même, avec un motif.',
  ),
  'books.closeWaited': row(
    'La clôture a attendu {minutes, plural, one {# minute} many {# de minutes} other {# minutes}} un paiement en cours, qui continue : ticket {receipts}',
    'Rien n’a été clôturé. Le paiement continue.',
    'Relancez la clôture quand le paiement sera terminé, ou annulez-le à sa caisse.',
  ),
  'books.closeCancelled': row(
    'La clôture a été annulée pendant qu’elle attendait un paiement en cours : ticket {receipts}',
    'Rien n’a été clôturé. Le paiement continue.',
    'Relancez la clôture quand vous voulez.',
  ),
  'books.gatewaySilent': row(
    'La passerelle n’a pas répondu pour {count, plural, one {# paiement} many {# de paiements} other {# paiements}} du lot ; rien n’a donc pu être comparé',
    'Tous les paiements sont au journal. Les nouveaux paiements vont dans le lot suivant.',
    'Relancez la clôture au retour de la connexion : elle reprend où elle s’est arrêtée.',
  ),
  'books.overrideMalformed': row(
    'Pour clôturer malgré des paiements ouverts, il manque quelque chose : « {why} »',
    'Rien n’a été clôturé.',
    'Connectez-vous à votre nom et donnez un motif.',
  ),
  'books.zBroken': row(
    'Le rapport Z {number} échoue à son contrôle : « {why} »',
    'Les paiements eux-mêmes sont au journal, qui a sa propre chaîne de hachage.',
    callSupport,
  ),
  'settlement.notFound': row(
    'Il n’y a pas de rapprochement {id}, ou pas d’écart de ce genre dans celui-ci',
    'Regardez la liste des rapprochements, ou importez de nouveau le fichier de règlement.',
  ),
  'settlement.unreadable': row(
    'Le fichier de règlement {file} ne peut pas être utilisé : « {why} »',
    'Redemandez le fichier : CSV en UTF-8, avec points-virgules et ligne d’en-tête.',
  ),
  'till.reopening': row(
    'La caisse redémarre, et les demandes en cours ont été arrêtées',
    'Renvoyez la demande dans quelques secondes.',
  ),
  'till.occupied': row(
    'La caisse ne peut pas encore redémarrer : une demande est en cours',
    'Il n’y a rien à faire : la caisse réessaie automatiquement.',
  ),
  'upload.underWay': row(
    'Un autre de vos fichiers est encore en cours de lecture',
    'Attendez la fin de la lecture, ou arrêtez cet envoi, puis envoyez ce fichier.',
  ),
  'upload.stalled': row(
    'L’envoi a été arrêté : il est arrivé moins de {bytes, plural, one {# octet} many {# d’octets} other {# octets}} en {seconds} s',
    'Vérifiez la connexion, puis renvoyez le fichier.',
  ),
  'session.changed': row(
    'Quelqu’un s’est connecté de nouveau dans une autre fenêtre de ce navigateur',
    'Regardez qui est connecté maintenant, et réessayez.',
  ),
  'posKey.known': row('Il y a déjà une clé pour {name}', 'Retirez-la d’abord, ou choisissez un autre nom.'),
  'posKey.unknown': row('Il n’y a pas de clé pour {name}', 'Regardez la liste des clés.'),
  'posKey.full': row(
    'Aucune clé n’a été créée : cette caisse a {count, plural, one {# clé} many {# de clés} other {# clés}} sur {most} au plus',
    'Retirez une clé dont plus aucun programme ne se sert, puis créez celle-ci.',
  ),
  'posKey.malformed': row('Aucune clé n’a été créée : « {why} »', 'Corrigez les indications et réessayez.'),
  'request.tooLarge': row(
    'La demande a plus de {bytes, plural, one {# octet} many {# d’octets} other {# octets}}',
    'Envoyez moins à la fois.',
  ),
  'request.unknown': row('Il n’y a rien à {path}', 'Consultez /api/openapi.json.'),
  'request.keyReused': row(
    'L’Idempotency-Key a déjà servi pour une autre demande',
    'La première demande est inchangée ; celle-ci n’a rien fait.',
    'Prenez une nouvelle clé pour une nouvelle demande.',
  ),
  'hex.malformed': row('Un texte hexadécimal de {length} caractères est mal formé', 'Corrigez-le et réessayez.'),
  'tlv.malformed': row('Les données TLV sont mal formées à l’octet {offset} : « {why} »', cardAgain),
  'emv.malformed': row('Données de carte mal formées (« {what} ») : « {why} »', cardAgain),
  'key.malformed': row(
    '« {what} » ne peut servir ni de clé ni de numéro de série de clé : « {why} »',
    'Faites vérifier les clés du terminal.',
  ),
  'key.exhausted': row(
    'La clé de numéro de série {ksn} est épuisée',
    'Faites charger de nouvelles clés dans le terminal.',
  ),
  'pin.block': row(
    'Le bloc PIN n’est pas au format {format} : « {why} »',
    'Faites saisir le code PIN une nouvelle fois.',
  ),
  'link.unavailable': row(
    'Le port {port} ne peut pas être ouvert : « {why} »',
    'Vérifiez le câble, et qu’aucun autre programme n’occupe le port.',
  ),
  'link.lost': row(
    'La connexion au terminal sur {port} a été perdue : « {why} »',
    'Vérifiez le câble. La caisse interroge la passerelle automatiquement.',
  ),
  'terminal.silent': row(
    'Le terminal n’a pas répondu à « {command} » en {ms} ms',
    'Vérifiez le terminal. La caisse interroge la passerelle automatiquement.',
  ),
  'terminal.garbled': row(
    'Le terminal a envoyé {bytes, plural, one {# octet qui n’est pas une réponse valable} many {# d’octets qui ne sont pas une réponse valable} other {# octets qui ne sont pas une réponse valable}}',
    'Vérifiez le câble et le modèle du terminal.',
  ),
  'terminal.stray': row(
    'Le terminal a envoyé une réponse inattendue de {bytes, plural, one {# octet} many {# d’octets} other {# octets}}',
    'La caisse l’a ignorée.',
    'Il n’y a rien à faire. Si cela arrive souvent, faites vérifier le terminal.',
  ),
  'terminal.strays': row(
    'Le terminal a envoyé encore {count, plural, one {# message inattendu} many {# de messages inattendus} other {# messages inattendus}}',
    'La caisse les a ignorés.',
    'Faites vérifier le terminal.',
  ),
  'terminal.refused': row(
    'Le terminal a refusé « {command} » avec l’état {status} : « {why} »',
    'Réessayez ; si cela se reproduit, redémarrez le terminal.',
  ),
  'terminal.unclear': row(
    'Le terminal a terminé « {command} » avec {status} : « {why} »',
    'N’encaissez pas à nouveau. La caisse interroge le terminal automatiquement.',
  ),
  'terminal.busy': row('Le terminal est occupé : « {command} »', 'Attendez qu’il ait fini, ou annulez.'),
  'terminal.turn': row(
    'La demande a attendu {seconds, plural, one {# seconde} many {# de secondes} other {# secondes}} que {counter} se libère. Il est toujours occupé : « {what} »',
    'Réessayez quand {counter} sera libre.',
  ),
  'terminal.unready': row('Le terminal ne peut pas accepter de cartes : « {why} »', 'Faites vérifier le terminal.'),
  'terminal.warned': row('Le terminal avertit : « {text} »', 'Occupez-vous-en avant la prochaine heure de pointe.'),
  'terminal.unknown': row(
    '« {text} » n’est pas l’adresse d’un terminal',
    'Donnez zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 ou une adresse semblable ; ou seulement 192.168.1.20, COM3 ou /dev/ttyACM0, et la caisse détecte le protocole.',
  ),
  'terminal.protocolMissing': row(
    'L’adresse {address} n’indique aucun protocole, et rien n’y a été envoyé',
    'Assurez-vous qu’un terminal de paiement s’y trouve, puis faites détecter son protocole : dans l’espace Technique, sous « Associer ».',
  ),
  'terminal.unpaired': row(
    'Aucun terminal n’est associé à cette caisse',
    'Cherchez-en un et associez-le dans l’espace Technique, sous « Associer ».',
  ),
  'terminal.other': row(
    'Un autre terminal répond à {address} : numéro de série {serial}. Cette caisse est associée à {paired}',
    'Branchez celui qui est associé, ou associez celui-ci.',
  ),
  'terminal.simulated': row(
    'Le terminal {model} est simulé, et cette caisse est en service réel',
    'Associez un vrai terminal. Entraînez-vous sur un terminal simulé en mode test.',
  ),
  'terminal.real': row(
    'Le terminal {model} interroge lui-même sa banque, et cette caisse est en mode test : il débiterait de vraies cartes',
    'Pour encaisser avec lui, passez en service réel. S’il utilise le serveur de test de son fabricant, un responsable le confirme dans Technique.',
  ),
  'simulation.live': row(
    'Cette caisse est en service réel : elle ne démarre aucun terminal simulé',
    'Associez un vrai terminal, ou entraînez-vous en mode test.',
  ),
  'testHost.notHere': row(
    'Aucun terminal à {counter} ne peut être indiqué comme utilisant un serveur de test',
    'C’est possible seulement pour un terminal associé qui interroge lui-même sa banque, et seulement sur une caisse de test.',
  ),
  'terminal.several': row(
    'Il y a {count, plural, one {# terminal} many {# de terminaux} other {# terminaux}} ici : {list}',
    'Nommez celui que vous voulez par son adresse.',
  ),
  'terminal.notFound': row(
    'Aucun terminal n’a répondu : « {why} »',
    'Allumez le terminal, vérifiez le câble, puis cherchez de nouveau.',
  ),
  'terminal.cannot': row(
    'Le terminal de cette caisse interroge lui-même sa banque et ne permet pas « {operation} »',
    'Faites-le sur le terminal lui-même, ou à une caisse avec lecteur de cartes.',
  ),
  'terminal.twin': row(
    'Les terminaux de {counter} et de {other} annoncent le même nom : {name}',
    'Rien n’a été fait. L’un pourrait annuler un paiement de l’autre, donc celui d’un autre client.',
    'Encaissez sur un seul des deux. Faites donner à l’autre terminal son propre numéro de série, puis associez-le de nouveau.',
  ),
  'pairing.oneTill': row(
    'Un terminal {title} doit appartenir à une seule caisse, et personne ne l’a confirmé pour celui-ci',
    'Avec une seconde caisse, un paiement pourrait être compté deux fois, ou celui du mauvais client annulé.',
    'Assurez-vous qu’aucune autre caisse ne l’utilise, et cochez la case prévue avant d’associer.',
  ),
  'pairing.salesOpen': row(
    'Le terminal {terminalId} a encore {count, plural, one {# paiement ouvert} many {# de paiements ouverts} other {# paiements ouverts}} : {receipts}',
    'Ils gardent le numéro de terminal {terminalId}. La caisse continue d’interroger la passerelle à leur sujet.',
    'Terminez-les d’abord. Pour changer de terminal quand même, cochez la case prévue avant d’associer.',
  ),
  'tape.malformed': row(
    '{file} n’est pas un enregistrement de terminal : ligne {line} : « {why} »',
    'Donnez le fichier d’un enregistrement.',
  ),
  'host.unreachable': row(
    'La passerelle est injoignable : « {why} »',
    'Pas débité : la demande n’a jamais été envoyée.',
    'Vérifiez le réseau. La caisse envoie automatiquement les paiements enregistrés.',
  ),
  'host.redirected': row(
    'La passerelle renvoie la caisse vers une autre adresse : « {why} »',
    'Pas débité : la passerelle n’a pas traité la demande, et la caisse ne l’a envoyée nulle part ailleurs.',
    'Demandez la bonne adresse à l’exploitant de la passerelle et indiquez-la. La caisse envoie automatiquement les paiements enregistrés.',
  ),
  'gateway.plain': row(
    'La liaison avec la passerelle à {url} n’est pas chiffrée : elle passe en http simple par un réseau public',
    'Rien n’a été débité. La caisse n’y envoie ni paiements ni jeton.',
    'Un technicien indique dans la configuration l’adresse https de la passerelle.',
  ),
  'gateway.plainUnallowed': row(
    'La liaison avec la passerelle à {url} n’est pas chiffrée : quiconque est sur ce réseau peut lire les jetons et les paiements',
    'Rien n’a été débité. La caisse n’y envoie ni paiements ni jeton.',
    'Un technicien indique dans la configuration l’adresse https de la passerelle. Si elle n’en a pas, un responsable peut autoriser cette adresse : la barre au-dessus des écrans y mène.',
  ),
  'gateway.encrypted': row(
    '{url} n’a pas besoin d’autorisation : la liaison est chiffrée ou ne quitte pas cette machine',
    'Il n’y a rien à faire.',
  ),
  'host.silent': row(
    'La passerelle n’a pas donné de réponse valable : « {why} »',
    'N’encaissez pas à nouveau. La caisse interroge la passerelle automatiquement.',
  ),
  'counter.unknown': row('Il n’y a pas de terminal {counter}', 'Choisissez l’un de ceux-ci : {counters}.'),
  'live.already': row(
    'Il y a déjà une caisse en service réel dans {folder}',
    'Redémarrez la caisse : la caisse réelle s’ouvrira.',
  ),
  'live.notReady': row(
    'La liste avant la mise en service réel n’est pas encore terminée',
    'Faites ce que dit la liste, puis passez en service réel.',
  ),
  'machine.other': row(
    'Le dossier de données de cette caisse appartient à une autre machine',
    'Rien n’a été débité. La caisse n’envoie d’ici aucun message en attente.',
    'Un responsable décide si le dossier a été déplacé ici ou s’il est une copie : la barre au-dessus des écrans y mène. Si la machine de la caisse a reçu un nom, donnez-le à chaque démarrage.',
  ),
  'machine.behind': row(
    'La passerelle a, sous le numéro de terminal de cette caisse, des paiements qui manquent dans son dossier de données : {count}',
    'Rien n’a été débité cette fois. La caisse n’envoie d’ici aucun message en attente.',
    'Si le dossier est une ancienne copie, un responsable reprend ces paiements de la passerelle : la barre au-dessus des écrans y mène. Si une autre caisse vend sous le même numéro, ne reprenez rien : un technicien donne à celle-ci son propre numéro de terminal.',
  ),
  'machine.uncompared': row(
    'La passerelle n’a pas encore donné la liste des paiements qu’elle connaît de cette caisse',
    'Rien n’est perdu : les messages en attente seront envoyés ensuite.',
    'Vérifiez la connexion, puis réessayez.',
  ),
  'machine.settled': row(
    'Le dossier de données de cette caisse appartient déjà à cette machine',
    'Il n’y a rien à faire.',
  ),
  'machine.terminals': row(
    'Ces numéros de terminal ne conviennent pas à une copie : « {why} »',
    'Donnez les numéros que l’acquéreur a attribués à ces terminaux, un pour chacun : {counters}.',
  ),
  'training.notHere': row(
    'Ce n’est pas possible en formation : cela utiliserait de vrais appareils',
    'Terminez d’abord la formation.',
  ),
  'printer.none': row(
    'Aucune imprimante de ce nom n’est installée',
    notTheSale,
    'Ajoutez une imprimante dans les réglages, ou montrez le ticket à l’écran.',
  ),
  'printer.address': row(
    '« {text} » n’est pas l’adresse d’une imprimante',
    'Donnez escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 ou escpos+usb:/dev/usb/lp0.',
  ),
  'printer.known': row(
    'Il y a déjà une imprimante nommée {name}',
    'Choisissez un autre nom, ou retirez d’abord celle-là.',
  ),
  'printer.away': row(
    'L’imprimante {name} ne répond pas : « {why} »',
    `${notTheSale} Tant que la caisse tourne, elle garde l’impression et la fait au retour de l’imprimante.`,
    'Allumez l’imprimante et vérifiez son câble.',
  ),
  'printer.paperOut': row(
    'L’imprimante {name} n’a plus de papier',
    `${notTheSale} Tant que la caisse tourne, elle garde l’impression et la fait quand il y a un nouveau rouleau.`,
    'Mettez un nouveau rouleau et fermez le capot.',
  ),
  'printer.coverOpen': row(
    'Le capot de l’imprimante {name} est ouvert',
    `${notTheSale} Tant que la caisse tourne, elle garde l’impression et la fait quand le capot est fermé.`,
    'Fermez le capot.',
  ),
  'printer.error': row(
    'L’imprimante {name} signale une erreur : « {why} »',
    `${notTheSale} Tant que la caisse tourne, elle garde l’impression.`,
    'Regardez l’imprimante ; éteignez-la et rallumez-la.',
  ),
  'printer.full': row(
    '{waiting, plural, one {# impression attend} many {# d’impressions attendent} other {# impressions attendent}} déjà l’imprimante {name}',
    'Le paiement n’est pas concerné. Ce document n’a pas été accepté : imprimez-le plus tard.',
    'Vérifiez d’abord l’imprimante.',
  ),
  'printer.noDrawer': row(
    'Aucune imprimante n’a de tiroir-caisse',
    'Indiquez dans les réglages à quelle imprimante le tiroir est branché.',
  ),
  'printer.picture': row(
    'L’image {name} ne peut pas être imprimée : « {why} »',
    'Utilisez un fichier PNG de 1200 × 1200 points et 512 Ko au plus, de préférence en noir et blanc.',
  ),
  'till.away': row(
    'Le programme de caisse ne répond pas',
    'Un paiement en cours continue tout seul et n’est pas perdu.',
    'Attendez un instant : cette page se reconnecte toute seule.',
  ),
  'program.failed': row(
    'Quelque chose d’imprévu a mal tourné : « {why} »',
    'Tout ce qui a été enregistré est en sûreté.',
    'Redémarrez la caisse : elle termine automatiquement les paiements ouverts. Dites à l’assistance ce que vous faisiez.',
  ),
  'session.needed': row('Personne n’est connecté', 'Connectez-vous et réessayez. Un paiement en cours continue.'),
  'session.code': row(
    'Ce code n’est pas ou n’est plus valable',
    'Prenez l’adresse que la caisse a affichée à son dernier démarrage. Une fois le personnel ajouté, connectez-vous par votre nom.',
  ),
  'session.pinNeeded': row('Votre code PIN est nécessaire : {what}', 'Saisissez votre code PIN.'),
  'session.notAllowed': row(
    '{who} n’a pas le droit de faire cela : {what}',
    'Demandez à un responsable de saisir son code PIN.',
  ),
  'text.cardData': row(
    'La saisie contient des données de carte, que la caisse ne stocke que chiffrées : {where}',
    'Retirez le numéro de la carte, son cryptogramme et les données de sa piste, puis réessayez.',
  ),
  'request.malformed': row('La saisie n’est pas valable : « {why} »', 'Corrigez et réessayez.'),
  'request.foreign': row(
    'La demande a été rejetée : « {why} »',
    'Ouvrez la page de la caisse elle-même et connectez-vous-y.',
  ),
  'staff.refused': row(
    'Le nom ou le code PIN est erroné',
    'Réessayez. Après cinq essais erronés, un essai est possible par minute.',
  ),
  'staff.locked': row(
    'Trop de codes PIN erronés. Minutes jusqu’au prochain essai : {minutes}',
    'Attendez, puis réessayez. Dans un navigateur où un responsable s’est connecté, les essais erronés faits ailleurs ne comptent pas.',
  ),
  'staff.notAllowed': row('{name} n’a pas ce droit ici', 'Demandez à quelqu’un qui l’a.'),
  'staff.pinWeak': row('Ce code PIN est refusé : « {why} »', 'Choisissez-en un autre de 4 à 12 chiffres.'),
  'staff.name': row('Un nom a de 1 à 40 lettres, espaces, points ou traits d’union', 'Corrigez-le et réessayez.'),
  'staff.known': row(
    '{name} figure déjà dans la liste du personnel',
    'Choisissez un autre nom, ou retirez d’abord cette personne.',
  ),
  'staff.newer': row(
    'Une version plus récente de ce programme a écrit sur le personnel ce que celle-ci ne peut pas lire : {what}',
    'Rien n’a été changé. Chacun se connecte comme avant.',
    'Démarrez la version plus récente et changez le personnel là-bas.',
  ),
  'staff.lastManager': row('{name} est le seul responsable de cette caisse', 'Ajoutez d’abord un autre responsable.'),
  'till.notFound': row('Aucun paiement n’a le numéro de ticket {receipt}', 'Vérifiez le numéro sur le ticket.'),
  'events.elsewhere': row(
    'La caisse ne connaît pas l’événement après lequel elle doit continuer : une autre caisse l’a annoncé, ou cette copie l’a perdu',
    'Relisez les listes de paiements, puis écoutez à partir de {here}.',
  ),
  'events.tooOld': row(
    'L’événement après lequel la caisse doit continuer est trop ancien : ce qui l’a suivi n’est plus annoncé',
    'Relisez les listes de paiements, puis écoutez à partir de {here}.',
  ),
  'receipt.elsewhere': row(
    'Le ticket {receipt} vient d’une autre caisse : ce paiement a été fait sur le terminal {terminalId}',
    'Cherchez-le à la caisse dont les tickets portent le terminal {terminalId}. Elle seule peut rembourser.',
  ),
  'receipt.unknown': row(
    'Ce code n’est celui d’aucun paiement de cette caisse',
    'Lisez le numéro de terminal sur le ticket et cherchez-le à cette caisse-là. Cette caisse a le numéro {terminalId}.',
  ),
  'receipt.notYet': row(
    'Le paiement du ticket {receipt} n’est pas encore terminé : il n’a pas encore de ticket',
    'Son résultat dira s’il a été débité. Tout va bien.',
    'Redemandez le ticket quand le paiement sera terminé.',
  ),
  'till.nothingLeft': row('Il ne reste rien à rembourser sur le ticket {receipt} : « {why} »', 'Regardez le paiement.'),
  'unpaid.none': row('Rien du ticket {receipt} n’est impayé', 'Il est inchangé.', 'Regardez le paiement.'),
  'unpaid.underWay': row(
    'Le ticket {receipt} est déjà débité à nouveau, avec le ticket {again}',
    'Ce paiement n’a pas encore de résultat : avec un nouveau débit, le client pourrait payer deux fois.',
    'Attendez son résultat.',
  ),
  'unpaid.tooMuch': row(
    'Sur le ticket {receipt}, {missing} est impayé, mais le nouveau débit est de {amount}',
    'Débitez le montant impayé, ou moins.',
  ),
  'unpaid.cardSpent': row(
    'Le réseau de la carte n’autorise plus d’essai pour le ticket {receipt}',
    'Demandez au client de payer autrement, puis consignez que le ticket a été réglé autrement.',
  ),
  'unpaid.notYet': row(
    'Le réseau de la carte autorise le prochain essai pour le ticket {receipt} à partir de {from}',
    'Réessayez alors, ou demandez au client de payer autrement.',
  ),
  'till.refundTooHigh': row(
    'Au plus {left} peuvent être remboursés sur le ticket {receipt}',
    'Remboursez ce montant ou moins.',
  ),
  'till.cannotFollow': row(
    'Ce n’est pas possible pour le ticket {receipt} ({operation}) : « {why} »',
    'Aucun argent n’a bougé pour le ticket {receipt}.',
    'Regardez le paiement.',
  ),
  'till.unresolved': row(
    'Le résultat du paiement {sale} est encore inconnu',
    'Le client a peut-être été débité. La caisse vérifie.',
    'N’encaissez pas à nouveau. Attendez la passerelle, ou appelez le responsable.',
  ),
  'amount.malformed': row('« {text} » n’est pas un montant en {currency} : « {why} »', 'Saisissez-le ainsi : 12.50.'),
  'amount.unpositive': row(
    'Un montant de {amount} ne peut être ni débité ni remboursé',
    'Saisissez un montant supérieur à zéro.',
  ),
  'books.newer': row(
    'Une version plus récente de ce programme a écrit sur le lot {batch} ce que celle-ci ne peut pas lire : {what}',
    'Rien n’a été compté ni clôturé. Les paiements continuent et restent dans ce lot.',
    'Démarrez la version plus récente et clôturez le lot là-bas.',
  ),
  'books.nothingToClose': row(
    'Rien à clôturer : aucun paiement n’a commencé depuis la dernière clôture',
    'Regardez les lots clôturés.',
  ),
});
