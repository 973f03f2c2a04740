/** What went wrong, in German. `{name}` is filled with the facts of the case. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';
import { faultsOfBooks } from './faults-books.ts';
import { faultsOfDevices } from './faults-devices.ts';

const nothing = 'Nichts wurde belastet.';
const unchanged = 'Nichts wurde verändert.';
const undone = 'Nichts wurde ausgeführt.';

export const faults: SaidTables['faults'] = {
  ...faultsOfBooks,
  ...faultsOfDevices,
  'till.away': row(
    'Das Kassenprogramm antwortet nicht',
    'Eine laufende Zahlung geht von selbst weiter und geht nicht verloren.',
    'Warten Sie einen Moment: Diese Seite verbindet sich von selbst neu.',
  ),
  'program.failed': row(
    'Etwas Unvorhergesehenes ist schiefgegangen: „{why}“',
    'Was aufgeschrieben wurde, ist sicher.',
    'Beginnen Sie neu: Offene Zahlungen bringt die Kasse selbst zu Ende. Sagen Sie dem Support, was Sie getan haben.',
  ),
  'session.needed': row(
    'Niemand ist angemeldet',
    undone,
    'Melden Sie sich an und versuchen Sie es noch einmal. Eine laufende Zahlung geht von selbst weiter.',
  ),
  'session.code': row(
    'Dieser Code öffnet die Kasse nicht oder nicht mehr',
    unchanged,
    'Nehmen Sie die Adresse, die die Kasse bei ihrem letzten Start ausgegeben hat. Wer angelegt ist, meldet sich mit ' +
      'Namen an.',
  ),
  'session.pinNeeded': row('Das wird mit einer PIN unterschrieben: {what}', undone, 'Geben Sie dafür Ihre PIN ein.'),
  'session.notAllowed': row(
    '{who} darf das nicht: {what}',
    undone,
    'Bitten Sie die Filialleitung, dafür ihre PIN einzugeben.',
  ),
  'text.cardData': row(
    'In der Eingabe stehen Kartendaten, die die Kasse nirgends unverschlüsselt aufhebt: {where}',
    undone,
    'Lassen Sie Kartennummer, Prüfziffer und Magnetstreifendaten weg und versuchen Sie es noch einmal.',
  ),
  'request.malformed': row(
    'Die Angaben sind nicht, wie sie sein müssen: „{why}“',
    undone,
    'Berichtigen Sie sie und versuchen Sie es noch einmal.',
  ),
  'request.foreign': row(
    'Die Anfrage wurde abgewiesen: „{why}“',
    undone,
    'Öffnen Sie die eigene Seite der Kasse und melden Sie sich dort an.',
  ),
  'staff.refused': row(
    'Der Name oder die PIN ist falsch',
    unchanged,
    'Versuchen Sie es noch einmal. Nach fünf falschen Versuchen ist jede Minute einer möglich.',
  ),
  'staff.locked': row(
    'Es wurden zu viele falsche PINs versucht. Minuten bis zum nächsten Versuch: {minutes}',
    unchanged,
    'Warten Sie, und versuchen Sie es dann noch einmal. In einem Browser, in dem sich die Filialleitung angemeldet hat, zählen falsche Versuche von anderswo nicht.',
  ),
  'staff.notAllowed': row('{name} darf das hier nicht', undone, 'Fragen Sie jemanden, der es darf.'),
  'staff.pinWeak': row(
    'Diese PIN wird nicht angenommen: „{why}“',
    unchanged,
    'Wählen Sie eine andere mit 4 bis 12 Ziffern.',
  ),
  'staff.name': row(
    'Ein Name hat 1 bis 40 Buchstaben, Leerzeichen, Punkte oder Bindestriche',
    unchanged,
    'Berichtigen Sie ihn und versuchen Sie es noch einmal.',
  ),
  'staff.known': row(
    '{name} ist hier schon bekannt',
    unchanged,
    'Wählen Sie einen anderen Namen, oder entfernen Sie die Person zuerst.',
  ),
  'staff.newer': row(
    'Eine neuere Version dieses Programms hat zu den Personen etwas geschrieben, was diese nicht lesen kann: {what}',
    'Nichts wurde geändert. Alle melden sich an wie bisher.',
    'Starten Sie die neuere Version und ändern Sie die Personen dort.',
  ),
  'staff.lastManager': row(
    '{name} ist die einzige Filialleitung dieser Kasse',
    unchanged,
    'Legen Sie zuerst eine andere an.',
  ),
  'till.notFound': row(
    'Es gibt keine Zahlung mit der Belegnummer {receipt}',
    undone,
    'Prüfen Sie die Nummer auf dem Beleg.',
  ),
  'events.elsewhere': row(
    'Die Kasse kennt das Ereignis nicht, nach dem sie fortfahren soll: Eine andere Kasse hat es gemeldet, oder es ist dieser Kopie verloren gegangen',
    unchanged,
    'Lesen Sie die Listen der Zahlungen neu, und hören Sie dann ab {here} weiter zu.',
  ),
  'events.tooOld': row(
    'Das Ereignis, nach dem die Kasse fortfahren soll, liegt zu weit zurück: Was danach kam, wird nicht noch einmal gemeldet',
    unchanged,
    'Lesen Sie die Listen der Zahlungen neu, und hören Sie dann ab {here} weiter zu.',
  ),
  'receipt.elsewhere': row(
    'Beleg {receipt} ist von einer anderen Kasse: Terminal {terminalId} hat diese Zahlung genommen',
    'Nichts wurde zurückgegeben.',
    'Suchen Sie ihn an der Kasse, auf deren Belegen Terminal {terminalId} steht. Nur sie kann das Geld zurückgeben.',
  ),
  'receipt.unknown': row(
    'Dieser Code gehört zu keiner Zahlung dieser Kasse',
    'Nichts wurde zurückgegeben.',
    'Lesen Sie die Terminalnummer auf dem Beleg und suchen Sie ihn an jener Kasse. Diese Kasse hat die Nummer {terminalId}.',
  ),
  'receipt.notYet': row(
    'Die Zahlung mit Beleg {receipt} ist noch nicht zu Ende: Es gibt noch keinen Beleg',
    'Ihr Ende sagt, ob sie belastet wird. Mit ihr ist alles in Ordnung.',
    'Fragen Sie nach dem Beleg, wenn die Zahlung zu Ende ist.',
  ),
  'till.nothingLeft': row(
    'Auf Beleg {receipt} ist nichts mehr zurückzugeben: „{why}“',
    'Nichts wurde zurückgegeben.',
    'Sehen Sie die Zahlung an.',
  ),
  'unpaid.none': row(
    'Von Beleg {receipt} ist nichts unbezahlt',
    'Er bleibt, wie er ist.',
    'Sehen Sie sich die Zahlung an.',
  ),
  'unpaid.underWay': row(
    'Beleg {receipt} wird schon noch einmal belastet, mit Beleg {again}',
    'Diese Zahlung ist noch nicht zu Ende: Noch einmal verlangt, könnte der Kunde doppelt zahlen.',
    'Warten Sie ihr Ende ab.',
  ),
  'unpaid.tooMuch': row(
    'Von Beleg {receipt} ist {missing} unbezahlt, {amount} sollte belastet werden',
    nothing,
    'Belasten Sie, was unbezahlt ist, oder weniger.',
  ),
  'unpaid.cardSpent': row(
    'Das Kartensystem erlaubt für Beleg {receipt} keinen weiteren Versuch',
    nothing,
    'Bitten Sie den Kunden, anders zu zahlen, und sagen Sie dann, dass der Beleg anders beglichen wurde.',
  ),
  'unpaid.notYet': row(
    'Das Kartensystem erlaubt für Beleg {receipt} den nächsten Versuch ab {from}',
    nothing,
    'Versuchen Sie es dann noch einmal, oder bitten Sie den Kunden, anders zu zahlen.',
  ),
  'till.refundTooHigh': row(
    'Auf Beleg {receipt} können höchstens {left} erstattet werden',
    nothing,
    'Erstatten Sie so viel oder weniger.',
  ),
  'till.cannotFollow': row(
    'Auf Beleg {receipt} kann das nicht folgen ({operation}): „{why}“',
    'Es floss kein Geld. Beleg {receipt} steht wie vorher.',
    'Sehen Sie die Zahlung an.',
  ),
  'till.unresolved': row(
    'Zahlung {sale} ist noch unklar',
    'Sie kann belastet worden sein. Nach ihr wird gefragt.',
    'Kassieren Sie nicht noch einmal. Warten Sie auf das Gateway, oder rufen Sie die Filialleitung.',
  ),
  'amount.malformed': row('„{text}“ ist kein Betrag in {currency}: „{why}“', nothing, 'Geben Sie ihn wie 12.50 an.'),
  'amount.unpositive': row(
    'Ein Betrag von {amount} kann nicht genommen oder gegeben werden',
    nothing,
    'Geben Sie mehr als null an.',
  ),
  'books.newer': row(
    'Eine neuere Version dieses Programms hat zu Kassenschnitt {batch} etwas geschrieben, was diese nicht lesen kann: {what}',
    'Nichts wurde gezählt oder geschlossen. Zahlungen gehen weiter und bleiben in diesem Kassenschnitt.',
    'Starten Sie die neuere Version und schließen Sie ihn dort.',
  ),
  'books.nothingToClose': row(
    'Es gibt nichts zu schließen: Seit dem letzten Abschluss wurde keine Zahlung begonnen',
    unchanged,
    'Sehen Sie die geschlossenen Kassenschnitte an.',
  ),
};
