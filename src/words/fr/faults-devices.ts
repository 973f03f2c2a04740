/** What went wrong with cards, terminals, the line and printers, in French. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'Rien n’a été débité.';
const unchanged = 'Rien n’a été modifié.';
const undone = 'Rien n’a été fait.';
const untilAsked = 'Inconnu tant que la caisse n’a pas demandé.';
const notTheSale = 'Le paiement n’est pas concerné.';
const cardAgain = 'Essayez la carte une nouvelle fois.';

export const faultsOfDevices: SaidTables['faults'] = {
  'hex.malformed': row(
    'Un texte hexadécimal de {length} caractères est mal formé',
    nothing,
    'Corrigez-le et réessayez.',
  ),
  'tlv.malformed': row('Les données TLV sont mal formées à l’octet {offset} : « {why} »', nothing, cardAgain),
  'emv.malformed': row('Données de carte mal formées (« {what} ») : « {why} »', nothing, cardAgain),
  'key.malformed': row(
    '« {what} » ne peut servir ni de clé ni de numéro de série de clé : « {why} »',
    nothing,
    'Faites vérifier les clés du terminal.',
  ),
  'key.exhausted': row(
    'La clé de numéro de série {ksn} est épuisée',
    nothing,
    'Faites charger de nouvelles clés dans le terminal.',
  ),
  'pin.block': row(
    'Le bloc PIN n’est pas au format {format} : « {why} »',
    nothing,
    'Faites saisir le code PIN une nouvelle fois.',
  ),
  'link.unavailable': row(
    'Le port {port} ne peut pas être ouvert : « {why} »',
    nothing,
    'Vérifiez le câble, et qu’aucun autre programme n’occupe le port.',
  ),
  'link.lost': row(
    'La connexion au terminal sur {port} a été perdue : « {why} »',
    untilAsked,
    'Vérifiez le câble. La caisse interroge la passerelle toute seule.',
  ),
  'terminal.silent': row(
    'Le terminal n’a pas répondu à « {command} » en {ms} ms',
    untilAsked,
    'Vérifiez le terminal. La caisse interroge la passerelle toute seule.',
  ),
  'terminal.garbled': row(
    'Le terminal a envoyé {bytes} octets qui ne sont pas une réponse',
    untilAsked,
    'Vérifiez le câble et le modèle du terminal.',
  ),
  'terminal.stray': row(
    'Le terminal a envoyé une réponse de {bytes} octets que personne n’attend',
    'Elle est restée sans effet.',
    'Rien. Si cela arrive souvent, faites vérifier le terminal.',
  ),
  'terminal.strays': row(
    'Le terminal a envoyé encore {count} messages que personne n’attend',
    'Tous sont restés sans effet.',
    'Faites vérifier le terminal.',
  ),
  'terminal.refused': row(
    'Le terminal a refusé « {command} » avec l’état {status} : « {why} »',
    nothing,
    'Réessayez ; si cela se reproduit, redémarrez le terminal.',
  ),
  'terminal.unclear': row(
    'Le terminal a terminé « {command} » avec {status} : « {why} »',
    untilAsked,
    'N’encaissez pas une autre fois. La caisse interroge le terminal toute seule.',
  ),
  'terminal.busy': row('Le terminal est occupé : « {command} »', nothing, 'Attendez qu’il ait fini, ou annulez.'),
  'terminal.turn': row(
    'Ceci a attendu son tour {seconds} secondes à {counter}, toujours occupé : « {what} »',
    undone,
    'Réessayez quand {counter} sera libre.',
  ),
  'terminal.unready': row(
    'Le terminal ne peut pas prendre de cartes : « {why} »',
    nothing,
    'Faites vérifier le terminal.',
  ),
  'terminal.warned': row('Le terminal avertit : « {text} »', nothing, 'Occupez-vous-en avant la prochaine affluence.'),
  'terminal.unknown': row(
    '« {text} » n’est pas l’adresse d’un terminal',
    nothing,
    'Donnez zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 ou une adresse semblable ; ou seulement 192.168.1.20, COM3 ou /dev/ttyACM0, et la caisse trouve le protocole.',
  ),
  'terminal.protocolMissing': row(
    'L’adresse {address} ne nomme aucun protocole, et rien n’y a été envoyé',
    nothing,
    'Assurez-vous qu’un terminal de paiement s’y trouve, puis faites trouver son protocole : dans l’espace Technique, sous « Associer ».',
  ),
  'terminal.unpaired': row(
    'Cette caisse ne connaît aucun terminal',
    nothing,
    'Cherchez-en un et associez-le dans l’espace Technique, sous « Associer ».',
  ),
  'terminal.other': row(
    'Un autre terminal répond à {address} : numéro de série {serial}. Cette caisse est associée à {paired}',
    nothing,
    'Branchez celui qui est associé, ou associez celui-ci.',
  ),
  'terminal.simulated': row(
    'Le terminal {model} est simulé, et cette caisse est en service réel',
    nothing,
    'Associez un vrai terminal. Entraînez-vous sur un terminal simulé en mode test.',
  ),
  'terminal.real': row(
    'Le terminal {model} interroge lui-même sa banque, et cette caisse est en mode test : il débiterait des cartes',
    nothing,
    'Passez en service réel. S’il est sur le serveur de test du fabricant, un responsable le dit dans Technique.',
  ),
  'simulation.live': row(
    'Cette caisse est en service réel : elle ne démarre aucun terminal simulé',
    nothing,
    'Associez un vrai terminal, ou entraînez-vous en mode test.',
  ),
  'testHost.notHere': row(
    'À {counter}, aucun terminal ne peut être sur un serveur de test',
    unchanged,
    'Seul un terminal associé qui interroge lui-même sa banque le peut, et seulement en mode test.',
  ),
  'terminal.several': row(
    'Il y a {count} terminaux ici : {list}',
    unchanged,
    'Nommez celui que vous voulez par son adresse.',
  ),
  'terminal.notFound': row(
    'Aucun terminal n’a répondu : « {why} »',
    unchanged,
    'Allumez le terminal, vérifiez le câble, puis cherchez de nouveau.',
  ),
  'terminal.cannot': row(
    'Le terminal de cette caisse autorise lui-même et ne sait pas faire « {operation} »',
    nothing,
    'Faites-le sur le terminal lui-même, ou à une caisse avec lecteur de cartes.',
  ),
  'terminal.twin': row(
    'Les terminaux de {counter} et {other} portent le même nom : {name}',
    'Rien n’a été fait. Ce que l’un a débité, l’autre pourrait le rendre à un autre client.',
    'Encaissez sur l’un des deux. Faites donner à l’autre terminal un numéro de série à lui, puis associez-le de nouveau.',
  ),
  'pairing.oneTill': row(
    'Chaque terminal {title} appartient à une seule caisse, et personne ne l’a dit de celui-ci',
    'Avec une seconde caisse, un paiement pourrait être compté deux fois, ou celui d’un autre client annulé.',
    'Assurez-vous qu’aucune autre caisse n’y encaisse, et cochez la case prévue avant d’associer.',
  ),
  'pairing.salesOpen': row(
    'Le terminal {terminalId} a encore des paiements ouverts : « {count}, {receipts} »',
    'Ils gardent le numéro de terminal {terminalId}. La caisse continue d’interroger la passerelle à leur sujet.',
    'Terminez-les d’abord. Pour changer de terminal quand même, cochez la case prévue avant d’associer.',
  ),
  'tape.malformed': row(
    '{file} n’est pas un enregistrement de terminal : ligne {line} : « {why} »',
    unchanged,
    'Donnez le fichier d’un enregistrement.',
  ),
  'host.unreachable': row(
    'La passerelle est injoignable : « {why} »',
    'Pas débité : la demande n’a jamais été envoyée.',
    'Vérifiez le réseau. Les paiements enregistrés partent tout seuls.',
  ),
  'host.redirected': row(
    'La passerelle renvoie la caisse vers une autre adresse : « {why} »',
    'Pas débité : rien n’a été fait de la demande, et elle n’a été envoyée nulle part ailleurs.',
    'Demandez la bonne adresse à l’exploitant de la passerelle et indiquez-la. Les paiements enregistrés partent tout seuls.',
  ),
  'gateway.plain': row(
    'La liaison avec la passerelle à {url} n’est pas chiffrée : c’est du http simple sur un réseau où n’importe qui peut se trouver',
    'Rien n’a été débité, et ni paiement ni jeton n’y est envoyé.',
    'Un technicien indique dans la configuration l’adresse https de la passerelle.',
  ),
  'gateway.plainUnallowed': row(
    'La liaison avec la passerelle à {url} n’est pas chiffrée : quiconque est sur ce réseau peut lire les jetons et les paiements',
    'Rien n’a été débité, et ni paiement ni jeton n’y est envoyé.',
    'Un technicien indique dans la configuration l’adresse https de la passerelle. Si elle n’en a pas, un responsable peut autoriser cette adresse : la barre au-dessus des écrans y mène.',
  ),
  'gateway.encrypted': row(
    'Personne n’a à autoriser {url} : la liaison est chiffrée ou ne quitte pas cette machine',
    nothing,
    'Il n’y a rien à faire.',
  ),
  'host.silent': row(
    'La passerelle n’a pas donné de réponse valable : « {why} »',
    untilAsked,
    'N’encaissez pas une autre fois. La caisse interroge la passerelle toute seule.',
  ),
  'counter.unknown': row('Il n’y a pas de terminal {counter}', nothing, 'Choisissez l’un de ceux-ci : {counters}.'),
  'live.already': row(
    'Il y a déjà une caisse en service réel dans {folder}',
    unchanged,
    'Redémarrez la caisse : la caisse réelle s’ouvrira.',
  ),
  'live.notReady': row(
    'La liste avant la mise en service réel n’est pas encore terminée',
    unchanged,
    'Faites ce que dit la liste, puis passez en service réel.',
  ),
  'machine.other': row(
    'Le dossier de données de cette caisse appartient à une autre machine',
    'Rien n’a été débité, et rien de ce qui attend n’est envoyé d’ici.',
    'Un responsable indique si le dossier a été déplacé ici ou s’il est une copie : la barre au-dessus des écrans y mène. Si la machine a reçu un nom, chaque démarrage en a besoin.',
  ),
  'machine.behind': row(
    'La passerelle connaît des opérations sous le numéro de terminal de cette caisse qui manquent dans son dossier : {count}',
    'Rien n’a été débité maintenant, et rien de ce qui attend n’est envoyé d’ici.',
    'Si le dossier est une ancienne copie, un responsable reprend ce que connaît la passerelle : la barre au-dessus des écrans y mène. Si une autre caisse vend sous le même numéro, ne reprenez rien : un technicien donne à celle-ci un numéro de terminal à elle.',
  ),
  'machine.uncompared': row(
    'La passerelle n’a pas encore dit ce qu’elle connaît de cette caisse',
    'Rien n’est perdu : ce qui attend sera envoyé dès qu’elle aura répondu.',
    'Vérifiez la ligne, puis réessayez.',
  ),
  'machine.settled': row(
    'Le dossier de données de cette caisse appartient déjà à cette machine',
    unchanged,
    'Il n’y a rien à faire.',
  ),
  'machine.terminals': row(
    'Ces numéros de terminal ne conviennent pas à une copie : « {why} »',
    unchanged,
    'Donnez les numéros que l’acquéreur a attribués à ces terminaux, un pour chacun : {counters}.',
  ),
  'training.notHere': row(
    'Cela ne se fait pas en formation : de vrais appareils seraient touchés',
    unchanged,
    'Terminez d’abord la formation.',
  ),
  'printer.none': row(
    'Aucune imprimante de ce genre n’est installée',
    notTheSale,
    'Ajoutez une imprimante dans les réglages, ou montrez le ticket à l’écran.',
  ),
  'printer.address': row(
    '« {text} » n’est pas l’adresse d’une imprimante',
    unchanged,
    'Donnez escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 ou escpos+usb:/dev/usb/lp0.',
  ),
  'printer.known': row(
    'Il y a déjà une imprimante nommée {name}',
    unchanged,
    'Choisissez un autre nom, ou retirez d’abord celle-là.',
  ),
  'printer.away': row(
    'L’imprimante {name} ne répond pas : « {why} »',
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
    'L’imprimante {name} signale une erreur : « {why} »',
    `${notTheSale} Tant que la caisse tourne, elle garde l’impression.`,
    'Regardez l’imprimante ; éteignez-la et rallumez-la.',
  ),
  'printer.full': row(
    '{waiting} impressions attendent déjà l’imprimante {name}',
    `${notTheSale} Celle-ci n’a pas été prise : relancez-la plus tard.`,
    'Occupez-vous d’abord de l’imprimante.',
  ),
  'printer.noDrawer': row(
    'Aucune imprimante n’a de tiroir-caisse',
    undone,
    'Indiquez dans les réglages à quelle imprimante le tiroir est branché.',
  ),
  'printer.picture': row(
    'L’image {name} ne peut pas être imprimée : « {why} »',
    unchanged,
    'Donnez un fichier PNG de 1200 × 1200 points et 512 Ko au plus, de préférence en noir et blanc.',
  ),
};
