/** What went wrong, in German. `{name}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { FaultsIn } from '../en/faults.ts';
import type { MoneyIn } from '../en/reasons.ts';

const callSupport = 'Bewahren Sie die Daten der Kasse auf und rufen Sie den Support.';
const notTheSale = 'Die Zahlung ist davon nicht betroffen.';
const kept = 'Solange die Kasse läuft, bewahrt sie den Druckauftrag auf';
const cardAgain = 'Versuchen Sie die Karte noch einmal.';

/** What it means for the money, by the English. */
export const money = translator<MoneyIn>()('de', {
  'Nothing was charged.': 'Es wurde nichts belastet.',
  'Nothing was changed.': 'Es wurde nichts geändert.',
  'Unknown until the till has checked.': 'Unklar, bis die Kasse nachgefragt hat.',
  'Nothing was done.': 'Es wurde nichts ausgeführt.',
  'Nothing was refunded.': 'Es wurde nichts erstattet.',
  'Charged.': 'Belastet.',
  'Not charged.': 'Nicht belastet.',
  'Not charged: the till is reversing the bank’s approval. If this takes longer than 15 minutes, the till asks a person to look into it.':
    'Nicht belastet: Die Kasse storniert die Genehmigung der Bank. Dauert das länger als 15 Minuten, bittet sie jemanden, es zu prüfen.',
});

export const faults = translator<FaultsIn>()('de', {
  'amount.unrepresentable': row(
    'Ein Betrag von {minor} kleinsten Einheiten in {currency} lässt sich nicht mit zwei Nachkommastellen schreiben',
    'Runden Sie auf die nächsten zehn kleinsten Einheiten.',
  ),
  'currency.unknown': row('„{text}“ ist keine Währung nach ISO 4217', 'Nehmen Sie ein Kürzel wie EUR.'),
  'currency.differs': row(
    'Ein Betrag in {left} lässt sich nicht mit einem in {right} verrechnen',
    'Berichtigen Sie ihn und versuchen Sie es noch einmal.',
  ),
  'file.held': row(
    'Ein anderes Programm hat {file} geöffnet; die Datei ließ sich nicht schreiben',
    'Warten Sie, bis Virenscanner, Datensicherung oder Synchronisation damit fertig sind, oder beenden Sie sie. Dann noch einmal.',
  ),
  'folder.unusable': row(
    'Der Ordner {path} lässt sich nicht benutzen: „{why}“',
    'Lassen Sie die Rechte des Ordners ändern, oder nehmen Sie einen anderen.',
  ),
  'config.malformed': row(
    'Die Einstellungen {file} lassen sich nicht benutzen: „{why}“',
    'Berichtigen Sie sie und versuchen Sie es noch einmal.',
  ),
  'config.notAllowed': row(
    '{who} darf das nicht ändern: {fields}',
    'Bitten Sie die Filialleitung, dafür ihre PIN einzugeben, oder lassen Sie diese Einstellungen, wie sie sind.',
  ),
  'config.nothingToUndo': row(
    'Es gibt keine importierten Einstellungen, die sich zurücksetzen lassen',
    'Importieren Sie die Einstellungen, die Sie möchten.',
  ),
  'command.malformed': row(
    'Diese Angaben sind ungültig: „{why}“',
    'Berichtigen Sie sie und versuchen Sie es noch einmal.',
  ),
  'journal.corrupt': row(
    'Eintrag {entry} des Journals besteht seine Prüfung nicht: „{why}“',
    'Es wird nichts geändert oder repariert. Die Einträge vor {entry} sind verlässlich.',
    'Bewahren Sie den Ordner {data} auf und rufen Sie den Support.',
  ),
  'journal.newer': row(
    'Das Journal in {data} hat Version {version}; dieses Programm liest Versionen bis {newest}',
    'Es wird nichts geändert. Gespeicherte Zahlungen bleiben gespeichert.',
    'Starten Sie das neuere Programm, das zuletzt mit dieser Kasse gearbeitet hat.',
  ),
  'journal.unproven': row(
    'Das Journal in {data} auf Version {step} zu bringen hätte verändert, was die Kasse enthält',
    'Die Umstellung wurde rückgängig gemacht. Das Journal ist unverändert.',
    'Machen Sie mit dem älteren Programm weiter, bewahren Sie den Ordner auf und rufen Sie den Support.',
  ),
  'journal.unreadable': row(
    'Das Journal in {data} ist beschädigt: „{why}“',
    'Nichts wird verändert oder repariert. Was noch lesbar ist, bleibt erhalten.',
    'Bewahren Sie den Ordner {data} auf und rufen Sie den Support.',
  ),
  'journal.gone': row(
    'Das Journal {path} fehlt, obwohl diese Kasse benutzt wurde',
    'Es enthält gespeicherte und unfertige Zahlungen.',
    'Stellen Sie den Ordner aus seiner Sicherung wieder her. Um neu anzufangen, räumen Sie den ganzen Ordner weg.',
  ),
  'journal.unwritable': row(
    'Das Journal lässt sich nicht schreiben: „{why}“',
    'Schaffen Sie Platz auf der Festplatte oder prüfen Sie sie, und starten Sie die Kasse dann neu.',
  ),
  'journal.busy': row(
    'Eine andere Kasse nutzt schon {data}: mit ihren Seiten oder als Befehl',
    'Nutzen Sie deren Seiten, die alles können, was Befehle können, oder beenden Sie sie zuerst mit „till stop“. Laufende Zahlungen gehen weiter.',
  ),
  'secrets.gone': row(
    'Die Geheimnisse der Kasse {path} fehlen oder gehören einer anderen Kasse',
    'Ohne sie lassen sich gespeicherte Zahlungen nicht öffnen. Sie bleiben gespeichert.',
    'Stellen Sie die Datei aus ihrer Sicherung wieder her.',
  ),
  'secrets.sealed': row(
    '{file} ist mit einem Schlüssel aus dem Schlüsselspeicher dieses Rechners verschlüsselt',
    'Öffnen Sie das eigene Fenster der Kasse.',
  ),
  'till.unrecorded': row(
    'Das Ende der Zahlung {sale} ließ sich nicht aufzeichnen: „{why}“',
    'Der Kunde kann belastet worden sein. Die Kasse prüft es automatisch, sobald sie wieder schreiben kann.',
    'Schaffen Sie Platz auf der Festplatte oder prüfen Sie sie. Sehen Sie die Zahlung an, bevor Sie wieder kassieren.',
  ),
  'till.gone': row(
    'Die Kasse brach ab, bevor sie meldete, wie das ausging: „{why}“',
    'Der Kunde kann belastet worden sein. Die Kasse prüft es automatisch, sobald sie wieder gestartet ist.',
    'Starten Sie die Kasse. Sehen Sie die letzten Zahlungen an, bevor Sie wieder kassieren.',
  ),
  'sale.newer': row(
    'Eine neuere Version dieses Programms hat zu Beleg {receipt} etwas geschrieben, was diese nicht lesen kann: {what}',
    'Es floss kein Geld. Beleg {receipt} ist unverändert.',
    'Starten Sie die neuere Version: Sie führt diese Zahlung weiter. Alle anderen Zahlungen gehen hier weiter.',
  ),
  'till.nothingOpen': row(
    'Zu Beleg {receipt} muss niemand etwas entscheiden',
    'Er ist unverändert.',
    'Sehen Sie die Zahlung an.',
  ),
  'till.heldTooLittle': row(
    'Auf Beleg {receipt} sind höchstens noch {left} reserviert, aber {wanted} werden gebraucht',
    'Es floss kein Geld. Die Reservierung ist unverändert.',
    'Erhöhen Sie die Reservierung zuerst um {more} und buchen Sie dann ab; oder buchen Sie {left} oder weniger ab.',
  ),
  'till.amountFixed': row(
    'Der Betrag von Beleg {receipt} lässt sich nicht mehr festlegen: Er steht schon fest, oder die Zahlung ist vorbei',
    'Die Zahlung ist unverändert.',
    'Sehen Sie die Zahlung an. Für einen anderen Betrag brechen Sie sie ab und beginnen noch einmal.',
  ),
  'till.stopping': row(
    'Die Kasse wird gerade beendet',
    'Versuchen Sie dasselbe in zehn Sekunden noch einmal und so lange, bis die Kasse antwortet: Nichts geschieht doppelt. Starten Sie die Kasse, wenn sie nicht von selbst startet. Eine laufende Zahlung wird vorher zu Ende gebracht.',
  ),
  'staff.nobody': row(
    'An dieser Kasse ist noch niemand angelegt',
    'Legen Sie auf der Anmeldeseite die erste Filialleitung an.',
  ),
  'staff.needed': row(
    'Das braucht den Namen einer verantwortlichen Person: „{what}“',
    'Melden Sie sich mit Ihrem Namen an und versuchen Sie es noch einmal.',
  ),
  'staff.unknown': row('Hier ist niemand namens {name} angelegt', 'Sehen Sie die Liste unter „Personal“ an.'),
  'browser.unknown': row(
    'Dieser Browser gehört nicht zu denen, die die Namen zeigen',
    'Laden Sie die Liste neu: Vielleicht hat ihn schon jemand entfernt.',
  ),
  'staff.firstManager': row(
    'Die erste Person einer Kasse muss Filialleitung sein',
    'Legen Sie zuerst eine Filialleitung an.',
  ),
  'queue.held': row(
    'Diese Warteschlange wird schon gesendet, von {holder}',
    'Nichts wurde doppelt gesendet.',
    'Warten Sie, bis das fertig ist.',
  ),
  'queue.nothingWaits': row(
    'Von Beleg {receipt} wartet nichts auf das Senden',
    'Nichts wurde gesendet.',
    'Sehen Sie unter „Offene Posten“ nach, was wartet.',
  ),
  'queue.tried': row(
    'Nachricht {id} kann schon gesendet worden sein: Sie lässt sich nicht mehr aus der Warteschlange nehmen',
    'Es wurde nichts geändert. Die Kasse sendet sie oder fragt nach ihr, wenn sie an der Reihe ist.',
    'Warten Sie die Antwort ab und erstatten Sie dann.',
  ),
  'gift.malformed': row(
    'Das ist keine Nummer einer Gutscheinkarte: „{why}“',
    'Scannen Sie sie noch einmal, oder tippen Sie die Ziffern von der Karte ab.',
  ),
  'sale.likely': row(
    'Dieser Betrag wurde vielleicht schon kassiert: Das Ergebnis von {amount}, Beleg {receipts}, ist noch nicht bekannt',
    'Die neue Zahlung wurde nicht begonnen. Die frühere wurde vielleicht belastet.',
    'Fragen Sie, ob es derselbe Kunde ist; wenn ja, warten Sie dieses Ergebnis ab. Ist es ein anderer, bestätigen Sie das.',
  ),
  'bill.none': row(
    'Beleg {receipt} gehört zu keiner geteilten Rechnung',
    'Nennen Sie einen Beleg der Rechnung, oder kassieren Sie wie gewohnt.',
  ),
  'bill.tooMuch': row(
    'Von dieser Rechnung sind noch {left} zu zahlen, und das Ergebnis von weiteren {unknown} ist noch nicht bekannt',
    'Kassieren Sie den Rest oder weniger. Kassieren Sie den unklaren Betrag nicht noch einmal, bevor sein Ergebnis bekannt ist.',
  ),
  'copy.failed': row(
    'Die zweite Kopie in {folder} lässt sich nicht schreiben: „{why}“',
    'Nichts ist verloren: Das Journal selbst ist vollständig, und der Verkauf geht weiter.',
    'Prüfen Sie diese Festplatte oder Freigabe. Die Kopie holt von selbst auf.',
  ),
  'seal.broken': row(
    'Der gespeicherte Eintrag {id} lässt sich nicht öffnen',
    'Er wurde nicht gesendet. Er bleibt gespeichert.',
    callSupport,
  ),
  'books.unbalanced': row(
    'Die Bücher gehen bei {amount} nicht auf: „{why}“',
    'Der Schritt wurde nicht aufgezeichnet. Alles vorher Aufgezeichnete ist sicher.',
    'Kassieren Sie nicht noch einmal. Rufen Sie den Support und bewahren Sie die Daten der Kasse auf.',
  ),
  'books.notFound': row('Auf dieser Kasse gibt es keinen Kassenschnitt {batch}', 'Sehen Sie die Kassenschnitte an.'),
  'books.openMoney': row(
    'Der Kassenschnitt lässt sich nicht schließen: {count, plural, one {# seiner Zahlungen ist} other {# seiner Zahlungen sind}} nicht zu Ende: „{amounts}“',
    'Ihr Ergebnis ist nicht bekannt, oder sie wurden noch nicht gesendet. Es wurde nichts geschlossen.',
    'Klären Sie jede wie angegeben; oder schließen Sie trotzdem, mit einer Begründung.',
  ),
  'books.closeWaited': row(
    'Der Abschluss hat {minutes, plural, one {# Minute} other {# Minuten}} auf eine laufende Zahlung gewartet, und sie läuft noch: Beleg {receipts}',
    'Nichts wurde abgeschlossen. Die Zahlung geht weiter.',
    'Schließen Sie noch einmal ab, wenn die Zahlung zu Ende ist, oder brechen Sie sie an der Kasse ab.',
  ),
  'books.closeCancelled': row(
    'Der Abschluss wurde abgebrochen, während er auf eine laufende Zahlung wartete: Beleg {receipts}',
    'Nichts wurde abgeschlossen. Die Zahlung geht weiter.',
    'Schließen Sie jederzeit noch einmal ab.',
  ),
  'books.gatewaySilent': row(
    'Das Gateway hat für {count, plural, one {# Zahlung} other {# Zahlungen}} des Kassenschnitts nicht geantwortet; so ließ sich nichts vergleichen',
    'Alle Zahlungen stehen im Journal. Neue Zahlungen kommen in den nächsten Kassenschnitt.',
    'Schließen Sie noch einmal ab, wenn die Verbindung wieder da ist: Es geht dort weiter, wo es aufgehört hat.',
  ),
  'books.overrideMalformed': row(
    'Zum Schließen trotz offener Zahlungen fehlt etwas: „{why}“',
    'Nichts wurde geschlossen.',
    'Melden Sie sich mit Ihrem Namen an und geben Sie eine Begründung an.',
  ),
  'books.zBroken': row(
    'Z-Bericht {number} besteht seine Prüfung nicht: „{why}“',
    'Die Zahlungen selbst stehen im Journal, das seine eigene Hash-Kette hat.',
    callSupport,
  ),
  'settlement.notFound': row(
    'Es gibt keinen Abgleich {id}, oder darin keine solche Abweichung',
    'Sehen Sie die Liste der Abgleiche an, oder importieren Sie die Abrechnungsdatei noch einmal.',
  ),
  'settlement.unreadable': row(
    'Die Abrechnungsdatei {file} lässt sich nicht benutzen: „{why}“',
    'Fordern Sie die Datei noch einmal an: CSV in UTF-8, mit Semikolons und Kopfzeile.',
  ),
  'till.reopening': row(
    'Die Kasse startet neu, und laufende Anfragen wurden beendet',
    'Senden Sie es in ein paar Sekunden noch einmal.',
  ),
  'till.occupied': row(
    'Die Kasse kann noch nicht neu starten: Eine Anfrage läuft noch',
    'Sie brauchen nichts zu tun: Die Kasse versucht es automatisch noch einmal.',
  ),
  'upload.underWay': row(
    'Eine andere Datei von Ihnen wird noch gelesen',
    'Warten Sie, bis sie fertig ist, oder brechen Sie das Hochladen ab, und senden Sie dann diese Datei.',
  ),
  'upload.stalled': row(
    'Das Hochladen wurde beendet: Es kamen weniger als {bytes, plural, one {# Byte} other {# Bytes}} in {seconds} s',
    'Prüfen Sie die Verbindung und senden Sie die Datei noch einmal.',
  ),
  'session.changed': row(
    'In einem anderen Fenster dieses Browsers hat sich jemand neu angemeldet',
    'Sehen Sie nach, wer jetzt angemeldet ist, und versuchen Sie es noch einmal.',
  ),
  'posKey.known': row(
    'Für {name} gibt es schon einen Schlüssel',
    'Entfernen Sie ihn zuerst, oder wählen Sie einen anderen Namen.',
  ),
  'posKey.unknown': row('Für {name} gibt es keinen Schlüssel', 'Sehen Sie die Liste der Schlüssel an.'),
  'posKey.full': row(
    'Es wurde kein Schlüssel erstellt: Diese Kasse hat {count, plural, one {# Schlüssel} other {# Schlüssel}} von höchstens {most}',
    'Entfernen Sie einen Schlüssel, den kein Programm mehr braucht, und erstellen Sie dann diesen.',
  ),
  'posKey.malformed': row(
    'Es wurde kein Schlüssel erstellt: „{why}“',
    'Berichtigen Sie die Angaben und versuchen Sie es noch einmal.',
  ),
  'request.tooLarge': row(
    'Die Anfrage hat mehr als {bytes, plural, one {# Byte} other {# Bytes}}',
    'Senden Sie weniger auf einmal.',
  ),
  'request.unknown': row('Unter {path} gibt es nichts', 'Schlagen Sie in /api/openapi.json nach.'),
  'request.keyReused': row(
    'Der Idempotency-Key wurde schon für eine andere Anfrage benutzt',
    'Die erste Anfrage ist unverändert; diese hat nichts bewirkt.',
    'Nehmen Sie für eine neue Anfrage einen neuen Schlüssel.',
  ),
  'hex.malformed': row(
    'Ein Hex-Text von {length} Zeichen ist fehlerhaft',
    'Berichtigen Sie ihn und versuchen Sie es noch einmal.',
  ),
  'tlv.malformed': row('Die TLV-Daten sind bei Byte {offset} fehlerhaft: „{why}“', cardAgain),
  'emv.malformed': row('Fehlerhafte Kartendaten („{what}“): „{why}“', cardAgain),
  'key.malformed': row(
    '„{what}“ taugt nicht als Schlüssel oder Schlüssel-Seriennummer: „{why}“',
    'Lassen Sie die Schlüssel des Terminals prüfen.',
  ),
  'key.exhausted': row(
    'Der Schlüssel mit der Seriennummer {ksn} ist aufgebraucht',
    'Lassen Sie neue Schlüssel in das Terminal laden.',
  ),
  'pin.block': row('Der PIN-Block hat nicht das Format {format}: „{why}“', 'Lassen Sie die PIN noch einmal eingeben.'),
  'link.unavailable': row(
    'Der Anschluss {port} lässt sich nicht öffnen: „{why}“',
    'Prüfen Sie das Kabel, und dass kein anderes Programm den Anschluss belegt.',
  ),
  'link.lost': row(
    'Die Verbindung zum Terminal an {port} ging verloren: „{why}“',
    'Prüfen Sie das Kabel. Die Kasse fragt das Gateway von selbst.',
  ),
  'terminal.silent': row(
    'Das Terminal hat auf „{command}“ nicht innerhalb von {ms} ms geantwortet',
    'Prüfen Sie das Terminal. Die Kasse fragt das Gateway von selbst.',
  ),
  'terminal.garbled': row(
    'Das Terminal hat {bytes, plural, one {# Byte gesendet, das keine gültige Antwort ist} other {# Bytes gesendet, die keine gültige Antwort sind}}',
    'Prüfen Sie das Kabel und das Modell des Terminals.',
  ),
  'terminal.stray': row(
    'Das Terminal hat eine unerwartete Antwort von {bytes, plural, one {# Byte} other {# Bytes}} gesendet',
    'Die Kasse hat sie ignoriert.',
    'Es ist nichts zu tun. Kommt es öfter vor, lassen Sie das Terminal prüfen.',
  ),
  'terminal.strays': row(
    'Das Terminal hat {count, plural, one {# weitere unerwartete Nachricht} other {# weitere unerwartete Nachrichten}} gesendet',
    'Die Kasse hat sie alle ignoriert.',
    'Lassen Sie das Terminal prüfen.',
  ),
  'terminal.refused': row(
    'Das Terminal hat „{command}“ mit Status {status} abgewiesen: „{why}“',
    'Versuchen Sie es noch einmal. Geschieht es wieder, starten Sie das Terminal neu.',
  ),
  'terminal.unclear': row(
    'Das Terminal hat „{command}“ mit {status} beendet: „{why}“',
    'Kassieren Sie nicht noch einmal. Die Kasse fragt das Terminal von selbst.',
  ),
  'terminal.busy': row(
    'Das Terminal ist beschäftigt: „{command}“',
    'Warten Sie, bis es fertig ist, oder brechen Sie es ab.',
  ),
  'terminal.turn': row(
    'Das hat {seconds, plural, one {# Sekunde} other {# Sekunden}} gewartet, bis {counter} frei wird. Dort läuft noch etwas: „{what}“',
    'Versuchen Sie es noch einmal, wenn {counter} frei ist.',
  ),
  'terminal.unready': row('Das Terminal kann keine Karten annehmen: „{why}“', 'Lassen Sie das Terminal prüfen.'),
  'terminal.warned': row('Das Terminal warnt: „{text}“', 'Kümmern Sie sich darum, bevor wieder viel los ist.'),
  'terminal.unknown': row(
    '„{text}“ ist keine Adresse eines Terminals',
    'Geben Sie zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 oder Ähnliches an; oder 192.168.1.20, COM3, /dev/ttyACM0 allein: Dann findet die Kasse das Protokoll heraus.',
  ),
  'terminal.protocolMissing': row(
    'Die Adresse {address} nennt kein Protokoll, und nichts wurde dorthin gesendet',
    'Stellen Sie sicher, dass dort ein Kartenterminal ist, und lassen Sie dann sein Protokoll herausfinden: im Bereich Technik unter „Koppeln“.',
  ),
  'terminal.unpaired': row(
    'Mit dieser Kasse ist kein Terminal gekoppelt',
    'Suchen und koppeln Sie eines im Bereich Technik unter „Koppeln“.',
  ),
  'terminal.other': row(
    'An {address} antwortet ein anderes Terminal: Seriennummer {serial}. Gekoppelt ist diese Kasse mit {paired}',
    'Schließen Sie das gekoppelte an, oder koppeln Sie dieses.',
  ),
  'terminal.simulated': row(
    'Das Terminal {model} ist simuliert, und diese Kasse ist live',
    'Koppeln Sie ein echtes Terminal. Auf einem simulierten üben Sie im Testbetrieb.',
  ),
  'terminal.real': row(
    'Das Terminal {model} fragt seine Bank selbst, und diese Kasse ist im Testbetrieb: Es würde echte Karten belasten',
    'Um darauf zu kassieren, gehen Sie live. Nutzt es das Testsystem des Herstellers, bestätigt das die Filialleitung im Bereich Technik.',
  ),
  'simulation.live': row(
    'Diese Kasse ist live: Sie startet kein simuliertes Terminal',
    'Koppeln Sie ein echtes Terminal, oder üben Sie im Testbetrieb.',
  ),
  'testHost.notHere': row(
    'Für kein Terminal an {counter} lässt sich ein Testsystem eintragen',
    'Das geht nur bei einem gekoppelten Terminal, das seine Bank selbst fragt, und nur an einer Testkasse.',
  ),
  'terminal.several': row(
    'Hier {count, plural, one {ist # Terminal} other {sind # Terminals}}: {list}',
    'Nennen Sie das gemeinte mit seiner Adresse.',
  ),
  'terminal.notFound': row(
    'Kein Terminal hat geantwortet: „{why}“',
    'Schalten Sie das Terminal ein, prüfen Sie das Kabel und suchen Sie dann noch einmal.',
  ),
  'terminal.cannot': row(
    'Das Terminal dieser Kasse fragt seine Bank selbst und unterstützt „{operation}“ nicht',
    'Führen Sie es am Terminal selbst aus, oder an einer Kasse mit Kartenleser.',
  ),
  'terminal.twin': row(
    'Die Terminals an {counter} und {other} melden denselben Namen: {name}',
    'Es wurde nichts ausgeführt. Das eine könnte eine Zahlung des anderen stornieren, also die des falschen Kunden.',
    'Kassieren Sie an einem von beiden. Lassen Sie dem anderen Terminal eine eigene Seriennummer geben, und koppeln Sie es neu.',
  ),
  'pairing.oneTill': row(
    'Ein {title}-Terminal darf nur zu einer Kasse gehören, und für dieses hat das niemand bestätigt',
    'Mit einer zweiten Kasse daran könnte eine Zahlung zweimal gebucht oder die eines falschen Kunden storniert werden.',
    'Stellen Sie sicher, dass keine andere Kasse darüber kassiert, und setzen Sie vor dem Koppeln das Häkchen dafür.',
  ),
  'pairing.salesOpen': row(
    'Auf Terminal {terminalId} {count, plural, one {ist noch # Zahlung} other {sind noch # Zahlungen}} offen: {receipts}',
    'Diese Zahlungen behalten die Terminal-ID {terminalId}. Die Kasse fragt das Gateway weiter nach ihnen.',
    'Bringen Sie sie zuerst zu Ende. Um trotzdem zu wechseln, setzen Sie vor dem Koppeln das Häkchen dafür.',
  ),
  'tape.malformed': row(
    '{file} ist kein Mitschnitt eines Terminals: Zeile {line}: „{why}“',
    'Geben Sie die Datei eines Mitschnitts an.',
  ),
  'host.unreachable': row(
    'Das Gateway ist nicht erreichbar: „{why}“',
    'Nicht belastet: Die Anfrage wurde nie gesendet.',
    'Prüfen Sie das Netzwerk. Die Kasse sendet gespeicherte Zahlungen automatisch.',
  ),
  'host.redirected': row(
    'Das Gateway leitet die Kasse an eine andere Adresse weiter: „{why}“',
    'Nicht belastet: Das Gateway hat die Anfrage nicht bearbeitet, und die Kasse hat sie nirgendwo anders hin gesendet.',
    'Fragen Sie den Betreiber des Gateways nach der richtigen Adresse und tragen Sie sie ein. Die Kasse sendet gespeicherte Zahlungen automatisch.',
  ),
  'gateway.plain': row(
    'Die Verbindung zum Gateway unter {url} ist nicht verschlüsselt: Sie nutzt unverschlüsseltes http über ein öffentliches Netz',
    'Es wurde nichts belastet. Die Kasse sendet weder Zahlungen noch das Token dorthin.',
    'Ein Techniker trägt in der Konfiguration die https-Adresse des Gateways ein.',
  ),
  'gateway.plainUnallowed': row(
    'Die Verbindung zum Gateway unter {url} ist nicht verschlüsselt: Wer in diesem Netz ist, kann Token und Zahlungen mitlesen',
    'Es wurde nichts belastet. Die Kasse sendet weder Zahlungen noch das Token dorthin.',
    'Ein Techniker trägt in der Konfiguration die https-Adresse des Gateways ein. Hat es keine, kann die Filialleitung diese Adresse erlauben: Die Leiste über den Seiten führt dorthin.',
  ),
  'gateway.encrypted': row(
    '{url} braucht keine Erlaubnis: Die Verbindung ist verschlüsselt oder verlässt diesen Rechner nicht',
    'Es ist nichts zu tun.',
  ),
  'host.silent': row(
    'Das Gateway hat keine gültige Antwort gegeben: „{why}“',
    'Kassieren Sie nicht noch einmal. Die Kasse fragt das Gateway von selbst.',
  ),
  'counter.unknown': row('Es gibt kein Terminal {counter}', 'Wählen Sie eines von diesen: {counters}.'),
  'live.already': row(
    'In {folder} gibt es schon eine Kasse, die live ist',
    'Starten Sie die Kasse neu: Dann öffnet sich die Live-Kasse.',
  ),
  'live.notReady': row(
    'Auf der Checkliste vor dem Livegang ist noch nicht alles erledigt',
    'Erledigen Sie, was die Liste sagt, und gehen Sie dann live.',
  ),
  'machine.other': row(
    'Der Datenordner dieser Kasse gehört zu einem anderen Rechner',
    'Es wurde nichts belastet. Die Kasse sendet von hier keine wartenden Nachrichten.',
    'Die Filialleitung entscheidet, ob der Ordner hierher umgezogen oder eine Kopie ist: Die Leiste über den Seiten führt dorthin. Hat der Rechner der Kasse einen Namen bekommen, geben Sie ihn bei jedem Start an.',
  ),
  'machine.behind': row(
    'Das Gateway hat Zahlungen unter der Terminalnummer dieser Kasse, die in ihrem Datenordner fehlen: {count}',
    'Jetzt wurde nichts belastet. Die Kasse sendet von hier keine wartenden Nachrichten.',
    'Ist der Ordner eine ältere Kopie, übernimmt die Filialleitung, was das Gateway kennt: Die Leiste über den Seiten führt dorthin. Verkauft eine andere Kasse unter derselben Nummer, übernehmen Sie nichts: Ein Techniker gibt dieser eine eigene Terminalnummer.',
  ),
  'machine.uncompared': row(
    'Das Gateway hat noch nicht gemeldet, welche Zahlungen dieser Kasse es kennt',
    'Nichts ist verloren: Wartende Nachrichten werden danach gesendet.',
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  ),
  'machine.settled': row('Der Datenordner dieser Kasse gehört schon zu diesem Rechner', 'Es ist nichts zu tun.'),
  'machine.terminals': row(
    'Diese Terminalnummern taugen nicht für eine Kopie: „{why}“',
    'Nehmen Sie die Nummern, die der Zahlungsdienst diesen Terminals gegeben hat, eine für jedes: {counters}.',
  ),
  'training.notHere': row(
    'In der Übung geht das nicht: Es würde echte Geräte benutzen',
    'Beenden Sie zuerst die Übung.',
  ),
  'printer.none': row(
    'Ein solcher Drucker ist nicht eingerichtet',
    notTheSale,
    'Fügen Sie in den Einstellungen einen Drucker hinzu, oder zeigen Sie den Beleg auf dem Bildschirm.',
  ),
  'printer.address': row(
    '„{text}“ ist keine Adresse eines Druckers',
    'Geben Sie escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 oder escpos+usb:/dev/usb/lp0 an.',
  ),
  'printer.known': row(
    'Einen Drucker namens {name} gibt es schon',
    'Wählen Sie einen anderen Namen, oder entfernen Sie zuerst jenen Drucker.',
  ),
  'printer.away': row(
    'Der Drucker {name} antwortet nicht: „{why}“',
    `${notTheSale} ${kept} und druckt ihn, wenn der Drucker wieder da ist.`,
    'Schalten Sie den Drucker ein und prüfen Sie sein Kabel.',
  ),
  'printer.paperOut': row(
    'Der Drucker {name} hat kein Papier mehr',
    `${notTheSale} ${kept} und druckt ihn, wenn eine neue Rolle da ist.`,
    'Legen Sie eine neue Rolle ein und schließen Sie die Klappe.',
  ),
  'printer.coverOpen': row(
    'Die Klappe des Druckers {name} ist offen',
    `${notTheSale} ${kept} und druckt ihn, wenn die Klappe geschlossen ist.`,
    'Schließen Sie die Klappe.',
  ),
  'printer.error': row(
    'Der Drucker {name} meldet einen Fehler: „{why}“',
    `${notTheSale} ${kept}.`,
    'Sehen Sie nach dem Drucker; schalten Sie ihn aus und wieder ein.',
  ),
  'printer.full': row(
    'Für den Drucker {name} {waiting, plural, one {wartet schon # Druckauftrag} other {warten schon # Druckaufträge}}',
    `${notTheSale} Dieser wurde nicht angenommen: Drucken Sie ihn später noch einmal.`,
    'Prüfen Sie zuerst den Drucker.',
  ),
  'printer.noDrawer': row(
    'Kein Drucker hat eine Kassenlade',
    'Geben Sie in den Einstellungen an, an welchem Drucker die Lade angeschlossen ist.',
  ),
  'printer.picture': row(
    'Das Bild {name} lässt sich nicht drucken: „{why}“',
    'Nehmen Sie eine PNG-Datei von höchstens 1200 × 1200 Punkten und 512 KB, am besten schwarz-weiß.',
  ),
  'till.away': row(
    'Das Kassenprogramm antwortet nicht',
    'Eine laufende Zahlung geht von selbst weiter und geht nicht verloren.',
    'Warten Sie einen Moment: Diese Seite verbindet sich von selbst neu.',
  ),
  'program.failed': row(
    'Etwas Unvorhergesehenes ist schiefgegangen: „{why}“',
    'Alles Aufgezeichnete ist sicher.',
    'Starten Sie die Kasse neu: Offene Zahlungen bringt sie selbst zu Ende. Sagen Sie dem Support, was Sie getan haben.',
  ),
  'session.needed': row(
    'Niemand ist angemeldet',
    'Melden Sie sich an und versuchen Sie es noch einmal. Eine laufende Zahlung geht von selbst weiter.',
  ),
  'session.code': row(
    'Dieser Code ist nicht oder nicht mehr gültig',
    'Nehmen Sie die Adresse, die die Kasse bei ihrem letzten Start ausgegeben hat. Sobald Personal angelegt ist, melden Sie sich mit Namen an.',
  ),
  'session.pinNeeded': row('Dafür wird Ihre PIN gebraucht: {what}', 'Geben Sie Ihre PIN ein.'),
  'session.notAllowed': row('{who} darf das nicht: {what}', 'Bitten Sie die Filialleitung, dafür ihre PIN einzugeben.'),
  'text.cardData': row(
    'Die Eingabe enthält Kartendaten, die die Kasse nur verschlüsselt speichert: {where}',
    'Entfernen Sie Kartennummer, Prüfziffer und Magnetstreifendaten und versuchen Sie es noch einmal.',
  ),
  'request.malformed': row(
    'Die Angaben sind ungültig: „{why}“',
    'Berichtigen Sie sie und versuchen Sie es noch einmal.',
  ),
  'request.foreign': row(
    'Die Anfrage wurde abgewiesen: „{why}“',
    'Öffnen Sie die eigene Seite der Kasse und melden Sie sich dort an.',
  ),
  'staff.refused': row(
    'Der Name oder die PIN ist falsch',
    'Versuchen Sie es noch einmal. Nach fünf falschen Versuchen ist jede Minute einer möglich.',
  ),
  'staff.locked': row(
    'Zu viele falsche PINs. Minuten bis zum nächsten Versuch: {minutes}',
    'Warten Sie, und versuchen Sie es dann noch einmal. In einem Browser, in dem sich die Filialleitung angemeldet hat, zählen falsche Versuche von anderswo nicht.',
  ),
  'staff.notAllowed': row('{name} darf das hier nicht', 'Fragen Sie jemanden, der es darf.'),
  'staff.pinWeak': row('Diese PIN wird nicht angenommen: „{why}“', 'Wählen Sie eine andere mit 4 bis 12 Ziffern.'),
  'staff.name': row(
    'Ein Name hat 1 bis 40 Buchstaben, Leerzeichen, Punkte oder Bindestriche',
    'Berichtigen Sie ihn und versuchen Sie es noch einmal.',
  ),
  'staff.known': row(
    '{name} ist schon angelegt',
    'Wählen Sie einen anderen Namen, oder entfernen Sie die Person zuerst.',
  ),
  'staff.newer': row(
    'Eine neuere Version dieses Programms hat zum Personal etwas aufgezeichnet, was diese nicht lesen kann: {what}',
    'Es wurde nichts geändert. Alle können sich anmelden wie bisher.',
    'Starten Sie die neuere Version und ändern Sie das Personal dort.',
  ),
  'staff.lastManager': row('{name} ist die einzige Filialleitung dieser Kasse', 'Legen Sie zuerst eine andere an.'),
  'till.notFound': row('Es gibt keine Zahlung mit der Belegnummer {receipt}', 'Prüfen Sie die Nummer auf dem Beleg.'),
  'events.elsewhere': row(
    'Die Kasse kennt das Ereignis nicht, nach dem sie fortfahren soll: Eine andere Kasse hat es gemeldet, oder es ist dieser Kopie verloren gegangen',
    'Lesen Sie die Listen der Zahlungen neu, und hören Sie dann ab {here} weiter zu.',
  ),
  'events.tooOld': row(
    'Das Ereignis, nach dem die Kasse fortfahren soll, liegt zu weit zurück: Was danach kam, wird nicht noch einmal gemeldet',
    'Lesen Sie die Listen der Zahlungen neu, und hören Sie dann ab {here} weiter zu.',
  ),
  'receipt.elsewhere': row(
    'Beleg {receipt} ist von einer anderen Kasse: Diese Zahlung lief über Terminal {terminalId}',
    'Suchen Sie ihn an der Kasse, auf deren Belegen Terminal {terminalId} steht. Nur diese Kasse kann ihn erstatten.',
  ),
  'receipt.unknown': row(
    'Dieser Code gehört zu keiner Zahlung dieser Kasse',
    'Lesen Sie die Terminalnummer auf dem Beleg und suchen Sie ihn an jener Kasse. Diese Kasse hat die Nummer {terminalId}.',
  ),
  'receipt.notYet': row(
    'Die Zahlung mit Beleg {receipt} ist noch nicht zu Ende: Es gibt noch keinen Beleg',
    'Ihr Ergebnis zeigt, ob belastet wurde. Es ist alles in Ordnung.',
    'Fragen Sie nach dem Beleg, wenn die Zahlung zu Ende ist.',
  ),
  'till.nothingLeft': row('Auf Beleg {receipt} ist nichts mehr zu erstatten: „{why}“', 'Sehen Sie die Zahlung an.'),
  'unpaid.none': row(
    'Von Beleg {receipt} ist nichts unbezahlt',
    'Er ist unverändert.',
    'Sehen Sie sich die Zahlung an.',
  ),
  'unpaid.underWay': row(
    'Beleg {receipt} wird schon noch einmal belastet, mit Beleg {again}',
    'Diese Zahlung hat noch kein Ergebnis: Bei einer weiteren Belastung könnte der Kunde doppelt zahlen.',
    'Warten Sie ihr Ergebnis ab.',
  ),
  'unpaid.tooMuch': row(
    'Von Beleg {receipt} ist {missing} unbezahlt, {amount} sollte belastet werden',
    'Belasten Sie den unbezahlten Betrag oder weniger.',
  ),
  'unpaid.cardSpent': row(
    'Das Kartensystem erlaubt für Beleg {receipt} keinen weiteren Versuch',
    'Bitten Sie den Kunden, anders zu zahlen, und halten Sie dann fest, dass der Beleg anders beglichen wurde.',
  ),
  'unpaid.notYet': row(
    'Das Kartensystem erlaubt für Beleg {receipt} den nächsten Versuch ab {from}',
    'Versuchen Sie es dann noch einmal, oder bitten Sie den Kunden, anders zu zahlen.',
  ),
  'till.refundTooHigh': row(
    'Auf Beleg {receipt} können höchstens {left} erstattet werden',
    'Erstatten Sie so viel oder weniger.',
  ),
  'till.cannotFollow': row(
    'Zu Beleg {receipt} ist das nicht möglich ({operation}): „{why}“',
    'Für Beleg {receipt} floss kein Geld.',
    'Sehen Sie die Zahlung an.',
  ),
  'till.unresolved': row(
    'Das Ergebnis der Zahlung {sale} ist noch unklar',
    'Der Kunde kann belastet worden sein. Die Kasse fragt nach.',
    'Kassieren Sie nicht noch einmal. Warten Sie auf das Gateway, oder rufen Sie die Filialleitung.',
  ),
  'amount.malformed': row('„{text}“ ist kein Betrag in {currency}: „{why}“', 'Geben Sie ihn so ein: 12.50.'),
  'amount.unpositive': row(
    'Ein Betrag von {amount} kann weder kassiert noch erstattet werden',
    'Geben Sie einen Betrag über null ein.',
  ),
  'books.newer': row(
    'Eine neuere Version dieses Programms hat zu Kassenschnitt {batch} etwas geschrieben, was diese nicht lesen kann: {what}',
    'Nichts wurde gezählt oder geschlossen. Zahlungen gehen weiter und bleiben in diesem Kassenschnitt.',
    'Starten Sie die neuere Version und schließen Sie ihn dort.',
  ),
  'books.nothingToClose': row(
    'Es gibt nichts zu schließen: Seit dem letzten Abschluss wurde keine Zahlung begonnen',
    'Sehen Sie die geschlossenen Kassenschnitte an.',
  ),
});
