/** What went wrong with payments, books, people and settings, in German. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'Nichts wurde belastet.';
const undone = 'Nichts wurde ausgeführt.';
const unchanged = 'Nichts wurde verändert.';
const callSupport = 'Bewahren Sie die Daten der Kasse auf und rufen Sie den Support.';

export const faultsOfBooks: SaidTables['faults'] = {
  'amount.unrepresentable': row(
    'Ein Betrag von {minor} kleinsten Einheiten in {currency} lässt sich nicht mit zwei Nachkommastellen schreiben',
    nothing,
    'Runden Sie auf die nächsten zehn kleinsten Einheiten.',
  ),
  'currency.unknown': row('„{text}“ ist keine Währung nach ISO 4217', nothing, 'Nehmen Sie ein Kürzel wie EUR.'),
  'currency.differs': row(
    'Ein Betrag in {left} lässt sich nicht mit einem in {right} verrechnen',
    nothing,
    'Berichtigen Sie ihn und versuchen Sie es noch einmal.',
  ),
  'file.held': row(
    'Ein anderes Programm hat {file} geöffnet; die Datei ließ sich nicht schreiben',
    unchanged,
    'Warten Sie, bis Virenscanner, Datensicherung oder Synchronisation damit fertig sind, oder beenden Sie sie. Dann noch einmal.',
  ),
  'folder.unusable': row(
    'Der Ordner {path} lässt sich nicht benutzen: „{why}“',
    unchanged,
    'Lassen Sie die Rechte des Ordners ändern, oder nehmen Sie einen anderen.',
  ),
  'config.malformed': row(
    'Die Einstellungen {file} lassen sich nicht benutzen: „{why}“',
    unchanged,
    'Berichtigen Sie sie und versuchen Sie es noch einmal.',
  ),
  'config.notAllowed': row(
    '{who} darf das nicht ändern: {fields}',
    unchanged,
    'Bitten Sie die Filialleitung, dafür ihre PIN einzugeben, oder lassen Sie diese Einstellungen, wie sie sind.',
  ),
  'config.nothingToUndo': row(
    'Es wurden keine Einstellungen eingelesen, die sich zurücksetzen ließen',
    unchanged,
    'Lesen Sie die ein, die Sie möchten.',
  ),
  'command.malformed': row(
    'Diese Angaben gehen so nicht: „{why}“',
    nothing,
    'Berichtigen Sie sie und versuchen Sie es noch einmal.',
  ),
  'journal.corrupt': row(
    'Eintrag {entry} des Journals besteht seine Prüfung nicht: „{why}“',
    'Nichts wird verändert oder repariert. Was vor Eintrag {entry} geschah, ist verlässlich.',
    'Bewahren Sie den Ordner {data} auf und rufen Sie den Support.',
  ),
  'journal.newer': row(
    'Das Journal in {data} hat Version {version}; dieses Programm kennt es bis {newest}',
    'Nichts wird verändert. Was gespeichert ist, bleibt gespeichert.',
    'Starten Sie das neuere Programm, das zuletzt mit dieser Kasse gearbeitet hat.',
  ),
  'journal.unproven': row(
    'Das Journal in {data} auf Version {step} zu bringen hätte verändert, was die Kasse enthält',
    'Es wurde zurückgenommen. Das Journal ist, wie es war.',
    'Machen Sie mit dem älteren Programm weiter, bewahren Sie den Ordner auf und rufen Sie den Support.',
  ),
  'journal.unreadable': row(
    'Das Journal in {data} ist beschädigt: „{why}“',
    'Nichts wird verändert oder repariert. Was noch lesbar ist, bleibt erhalten.',
    'Bewahren Sie den Ordner {data} auf und rufen Sie den Support.',
  ),
  'journal.gone': row(
    'Das Journal {path} ist weg, obwohl diese Kasse benutzt wurde',
    'Gespeicherte Zahlungen und Unerledigtes stehen darin.',
    'Stellen Sie den Ordner aus seiner Sicherung wieder her. Um neu anzufangen, räumen Sie den ganzen Ordner weg.',
  ),
  'journal.unwritable': row(
    'Das Journal lässt sich nicht schreiben: „{why}“',
    nothing,
    'Schaffen Sie Platz auf der Festplatte oder prüfen Sie sie, und starten Sie die Kasse dann neu.',
  ),
  'journal.busy': row(
    'Eine andere Kasse arbeitet schon auf {data}: mit ihren Bildschirmen oder als Befehl',
    nothing,
    'Nehmen Sie deren Bildschirme, die so viel wie Befehle können, oder beenden Sie sie mit „till stop“. Was sie tut, ' +
      'geht weiter.',
  ),
  'secrets.gone': row(
    'Die Geheimnisse der Kasse {path} sind weg oder gehören einer anderen Kasse',
    'Ohne sie lassen sich gespeicherte Zahlungen nicht öffnen. Sie bleiben gespeichert.',
    'Stellen Sie die Datei aus ihrer Sicherung wieder her.',
  ),
  'secrets.sealed': row(
    '{file} liegt unter einem Schlüssel, den der Schlüsselspeicher dieses Rechners hält',
    unchanged,
    'Öffnen Sie das eigene Fenster der Kasse.',
  ),
  'till.unrecorded': row(
    'Zahlung {sale} konnte nicht zu Ende aufgeschrieben werden: „{why}“',
    'Sie kann belastet worden sein. Die Kasse findet es von selbst heraus, wenn sie wieder schreiben kann.',
    'Schaffen Sie Platz auf der Festplatte oder prüfen Sie sie. Sehen Sie die Zahlung an, bevor Sie wieder kassieren.',
  ),
  'sale.newer': row(
    'Eine neuere Version dieses Programms hat zu Beleg {receipt} etwas geschrieben, was diese nicht lesen kann: {what}',
    'Es wurde nichts bewegt. Beleg {receipt} bleibt, wie er ist.',
    'Starten Sie die neuere Version: Sie führt diese Zahlung weiter. Alle anderen Zahlungen gehen hier weiter.',
  ),
  'till.nothingOpen': row(
    'Beleg {receipt} wartet auf niemanden',
    'Er bleibt, wie er ist.',
    'Sehen Sie die Zahlung an.',
  ),
  'till.heldTooLittle': row(
    'Auf Beleg {receipt} sind höchstens noch {left} reserviert, und {wanted} werden verlangt',
    'Es floss kein Geld. Was reserviert ist, bleibt reserviert.',
    'Reservieren Sie zuerst {more} mehr und buchen Sie dann ab; oder buchen Sie {left} oder weniger ab.',
  ),
  'till.amountFixed': row(
    'Der Betrag von Beleg {receipt} lässt sich nicht mehr festlegen: Er steht schon fest, oder die Zahlung ist vorbei',
    'Die Zahlung geht weiter wie bisher.',
    'Sehen Sie die Zahlung an. Für einen anderen Betrag brechen Sie sie ab und beginnen noch einmal.',
  ),
  'till.stopping': row(
    'Die Kasse wird gerade beendet',
    undone,
    'Versuchen Sie dasselbe in zehn Sekunden noch einmal und so lange, bis die Kasse antwortet: Nichts geschieht doppelt. ' +
      'Starten Sie die Kasse, wenn sie nicht von selbst startet. Eine laufende Zahlung wird vorher zu Ende gebracht.',
  ),
  'staff.nobody': row(
    'An dieser Kasse ist noch niemand bekannt',
    unchanged,
    'Legen Sie auf der Anmeldeseite die erste Filialleitung an.',
  ),
  'staff.needed': row(
    'Dafür muss jemand mit Namen einstehen: „{what}“',
    undone,
    'Melden Sie sich mit Ihrem Namen an und versuchen Sie es noch einmal.',
  ),
  'staff.unknown': row(
    'Niemand namens {name} ist hier bekannt',
    unchanged,
    'Sehen Sie unter „Personal“ nach, wer bekannt ist.',
  ),
  'browser.unknown': row(
    'Dieser Browser gehört nicht zu denen, die die Namen zeigen',
    unchanged,
    'Lesen Sie die Liste neu: Vielleicht hat ihn schon jemand heruntergenommen.',
  ),
  'staff.firstManager': row(
    'Die erste Person einer Kasse muss Filialleitung sein',
    unchanged,
    'Legen Sie zuerst eine Filialleitung an.',
  ),
  'queue.held': row(
    'Diese Warteschlange wird schon gesendet, von {holder}',
    'Nichts wurde doppelt gesendet.',
    'Warten Sie, bis das zu Ende ist.',
  ),
  'queue.nothingWaits': row(
    'Von Beleg {receipt} wartet nichts auf das Senden',
    'Nichts wurde gesendet.',
    'Sehen Sie unter „Offene Posten“ nach, was wartet.',
  ),
  'queue.tried': row(
    'Nachricht {id} kann schon gesendet worden sein: Sie lässt sich nicht mehr aus der Warteschlange nehmen',
    'Nichts wurde verändert. Sie wird gesendet, oder es wird nach ihr gefragt, wenn sie an der Reihe ist.',
    'Warten Sie auf die Antwort, und geben Sie das Geld dann zurück.',
  ),
  'gift.malformed': row(
    'Das ist keine Nummer einer Geschenkkarte: „{why}“',
    nothing,
    'Scannen Sie sie noch einmal, oder tippen Sie die Ziffern von der Karte ab.',
  ),
  'sale.likely': row(
    'Dieser Betrag wurde vielleicht schon kassiert: {amount}, Beleg {receipts}, hat noch keinen bekannten Ausgang',
    'Jetzt wurde nichts kassiert. Was vorher war, ist vielleicht abgebucht.',
    'Fragen Sie, ob es derselbe Kunde ist; wenn ja, warten Sie diesen Ausgang ab. Ist es ein anderer, bestätigen Sie das.',
  ),
  'bill.none': row(
    'Beleg {receipt} gehört zu keiner Rechnung, die mehrere Zahlungen begleichen',
    nothing,
    'Nennen Sie einen Beleg der Rechnung, oder kassieren Sie wie gewohnt.',
  ),
  'bill.tooMuch': row(
    'Von dieser Rechnung sind noch {left} zu zahlen, und weitere {unknown} warten auf ihr Ergebnis',
    nothing,
    'Nehmen Sie den Rest oder weniger. Was wartet, darf erst wieder kassiert werden, wenn sein Ergebnis bekannt ist.',
  ),
  'copy.failed': row(
    'Die zweite Kopie in {folder} lässt sich nicht führen: „{why}“',
    'Nichts ist verloren: Das Journal selbst ist vollständig, und der Verkauf geht weiter.',
    'Kümmern Sie sich um diese Festplatte oder Freigabe. Die Kopie holt von selbst auf.',
  ),
  'seal.broken': row(
    'Der gespeicherte Eintrag {id} lässt sich nicht öffnen',
    'Er wurde nicht gesendet. Er bleibt gespeichert.',
    callSupport,
  ),
  'books.unbalanced': row(
    'Die Bücher gehen bei {amount} nicht auf: „{why}“',
    'Der Schritt wurde nicht aufgeschrieben. Was vorher geschrieben wurde, ist sicher.',
    'Kassieren Sie nicht noch einmal. Rufen Sie den Support und bewahren Sie die Daten der Kasse auf.',
  ),
  'books.notFound': row(
    'Auf dieser Kasse gibt es keinen Kassenschnitt {batch}',
    unchanged,
    'Sehen Sie die Kassenschnitte an.',
  ),
  'books.openMoney': row(
    'Der Kassenschnitt lässt sich nicht schließen: {count} seiner Zahlungen sind nicht zu Ende: „{amounts}“',
    'Was sie für das Geld bedeuten, ist noch nicht bekannt oder noch nicht gesendet. Nichts wurde geschlossen.',
    'Klären Sie jede wie angegeben; oder schließen Sie trotzdem, mit einer Begründung.',
  ),
  'books.closeWaited': row(
    'Der Abschluss hat {minutes} Minuten auf eine laufende Zahlung gewartet, und sie läuft noch: Beleg {receipts}',
    'Nichts wurde abgeschlossen. Die Zahlung geht weiter.',
    'Schließen Sie noch einmal ab, wenn die Zahlung zu Ende ist, oder brechen Sie sie an der Kasse ab.',
  ),
  'books.closeCancelled': row(
    'Der Abschluss wurde abgebrochen, während er auf eine laufende Zahlung wartete: Beleg {receipts}',
    'Nichts wurde abgeschlossen. Die Zahlung geht weiter.',
    'Schließen Sie jederzeit noch einmal ab.',
  ),
  'books.gatewaySilent': row(
    'Das Gateway hat für {count} Zahlungen des Kassenschnitts nicht geantwortet; so ließ sich nichts vergleichen',
    'Alle Zahlungen stehen im Journal. Neue Zahlungen kommen in den nächsten Kassenschnitt.',
    'Schließen Sie noch einmal ab, wenn die Leitung wieder da ist: Es geht dort weiter, wo es aufgehört hat.',
  ),
  'books.overrideMalformed': row(
    'Zum Schließen trotz offener Zahlungen fehlt etwas: „{why}“',
    'Nichts wurde geschlossen.',
    'Melden Sie sich mit Ihrem Namen an und geben Sie eine Begründung an.',
  ),
  'books.zBroken': row(
    'Z-Bericht {number} besteht seine Prüfung nicht: „{why}“',
    'Die Zahlungen selbst stehen im Journal, das seine eigene Kette hat.',
    callSupport,
  ),
  'settlement.notFound': row(
    'Es gibt keinen Abgleich {id}, oder darin keine solche Differenz',
    unchanged,
    'Sehen Sie die Liste der Abgleiche an, oder geben Sie die Abrechnungsdatei noch einmal hinein.',
  ),
  'settlement.unreadable': row(
    'Die Abrechnungsdatei {file} lässt sich nicht benutzen: „{why}“',
    unchanged,
    'Fordern Sie die Datei noch einmal an: CSV in UTF-8, mit Semikolons und Kopfzeile.',
  ),
  'till.reopening': row(
    'Die Kasse wird neu geöffnet, und was gerade lief, wurde beendet',
    undone,
    'Senden Sie es in ein paar Sekunden noch einmal.',
  ),
  'till.occupied': row(
    'Die Kasse kann noch nicht neu geöffnet werden: Eine Anfrage läuft noch',
    undone,
    'Sie brauchen nichts zu tun: Es wird von selbst noch einmal versucht.',
  ),
  'upload.underWay': row(
    'Eine andere Datei von Ihnen wird noch gelesen',
    unchanged,
    'Warten Sie, bis sie fertig ist, oder brechen Sie das Hochladen ab, und senden Sie dann diese Datei.',
  ),
  'upload.stalled': row(
    'Das Hochladen wurde beendet: Es brachte weniger als {bytes} Byte in {seconds} s',
    unchanged,
    'Prüfen Sie die Verbindung und senden Sie die Datei noch einmal.',
  ),
  'session.changed': row(
    'In einem anderen Fenster dieses Browsers hat sich jemand neu angemeldet',
    undone,
    'Sehen Sie nach, wer jetzt angemeldet ist, und versuchen Sie es noch einmal.',
  ),
  'posKey.known': row(
    'Für {name} gibt es schon einen Schlüssel',
    unchanged,
    'Entfernen Sie ihn zuerst, oder wählen Sie einen anderen Namen.',
  ),
  'posKey.unknown': row('Für {name} gibt es keinen Schlüssel', unchanged, 'Sehen Sie die Liste der Schlüssel an.'),
  'posKey.full': row(
    'Es wurde kein Schlüssel gemacht: Diese Kasse hat {count} Schlüssel und darf {most} haben',
    unchanged,
    'Beenden Sie einen, den kein Programm mehr braucht, und machen Sie den Schlüssel dann.',
  ),
  'posKey.malformed': row(
    'Es wurde kein Schlüssel gemacht: „{why}“',
    unchanged,
    'Berichtigen Sie die Angaben und versuchen Sie es noch einmal.',
  ),
  'request.tooLarge': row('Die Anfrage hat mehr als {bytes} Bytes', undone, 'Senden Sie weniger auf einmal.'),
  'request.unknown': row('Unter {path} gibt es nichts', undone, 'Schlagen Sie in /api/openapi.json nach.'),
  'request.keyReused': row(
    'Der Idempotency-Key wurde schon für eine andere Anfrage benutzt',
    'Die erste Anfrage steht, wie sie ist; diese hat nichts getan.',
    'Nehmen Sie für eine neue Anfrage einen neuen Schlüssel.',
  ),
};
