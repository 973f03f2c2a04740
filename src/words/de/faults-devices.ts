/** What went wrong with cards, terminals, the line and printers, in German. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'Nichts wurde belastet.';
const unchanged = 'Nichts wurde verändert.';
const undone = 'Nichts wurde ausgeführt.';
const untilAsked = 'Unklar, bis die Kasse nachgefragt hat.';
const notTheSale = 'Die Zahlung ist davon nicht betroffen.';
const kept = 'Solange die Kasse läuft, bewahrt sie den Druckauftrag auf';
const cardAgain = 'Versuchen Sie die Karte noch einmal.';

export const faultsOfDevices: SaidTables['faults'] = {
  'hex.malformed': row(
    'Ein Hex-Text von {length} Zeichen ist fehlerhaft',
    nothing,
    'Berichtigen Sie ihn und versuchen Sie es noch einmal.',
  ),
  'tlv.malformed': row('Die TLV-Daten sind bei Byte {offset} fehlerhaft: „{why}“', nothing, cardAgain),
  'emv.malformed': row('Fehlerhafte Kartendaten („{what}“): „{why}“', nothing, cardAgain),
  'key.malformed': row(
    '„{what}“ taugt nicht als Schlüssel oder Schlüssel-Seriennummer: „{why}“',
    nothing,
    'Lassen Sie die Schlüssel des Terminals prüfen.',
  ),
  'key.exhausted': row(
    'Der Schlüssel mit der Seriennummer {ksn} ist aufgebraucht',
    nothing,
    'Lassen Sie neue Schlüssel in das Terminal laden.',
  ),
  'pin.block': row(
    'Der PIN-Block hat nicht das Format {format}: „{why}“',
    nothing,
    'Lassen Sie die PIN noch einmal eingeben.',
  ),
  'link.unavailable': row(
    'Der Anschluss {port} lässt sich nicht öffnen: „{why}“',
    nothing,
    'Prüfen Sie das Kabel, und dass kein anderes Programm den Anschluss belegt.',
  ),
  'link.lost': row(
    'Die Verbindung zum Terminal an {port} ging verloren: „{why}“',
    untilAsked,
    'Prüfen Sie das Kabel. Die Kasse fragt das Gateway von selbst.',
  ),
  'terminal.silent': row(
    'Das Terminal hat auf „{command}“ nicht innerhalb von {ms} ms geantwortet',
    untilAsked,
    'Prüfen Sie das Terminal. Die Kasse fragt das Gateway von selbst.',
  ),
  'terminal.garbled': row(
    'Das Terminal hat {bytes} Bytes gesendet, die keine Antwort sind',
    untilAsked,
    'Prüfen Sie das Kabel und das Modell des Terminals.',
  ),
  'terminal.stray': row(
    'Das Terminal hat eine Antwort von {bytes} Bytes gesendet, auf die niemand wartet',
    'Auf sie wurde nicht reagiert.',
    'Nichts. Kommt es öfter vor, lassen Sie das Terminal prüfen.',
  ),
  'terminal.strays': row(
    'Das Terminal hat {count} weitere Nachrichten gesendet, auf die niemand wartet',
    'Auf keine davon wurde reagiert.',
    'Lassen Sie das Terminal prüfen.',
  ),
  'terminal.refused': row(
    'Das Terminal hat „{command}“ mit Status {status} abgewiesen: „{why}“',
    nothing,
    'Versuchen Sie es noch einmal. Geschieht es wieder, starten Sie das Terminal neu.',
  ),
  'terminal.unclear': row(
    'Das Terminal hat „{command}“ mit {status} beendet: „{why}“',
    untilAsked,
    'Kassieren Sie nicht noch einmal. Die Kasse fragt das Terminal von selbst.',
  ),
  'terminal.busy': row(
    'Das Terminal ist beschäftigt: „{command}“',
    nothing,
    'Warten Sie, bis es fertig ist, oder brechen Sie es ab.',
  ),
  'terminal.turn': row(
    'Das hat {seconds} Sekunden gewartet, bis {counter} frei wird. Dort läuft noch etwas: „{what}“',
    undone,
    'Versuchen Sie es noch einmal, wenn {counter} frei ist.',
  ),
  'terminal.unready': row(
    'Das Terminal kann keine Karten annehmen: „{why}“',
    nothing,
    'Lassen Sie das Terminal prüfen.',
  ),
  'terminal.warned': row('Das Terminal warnt: „{text}“', nothing, 'Kümmern Sie sich darum, bevor es wieder voll wird.'),
  'terminal.unknown': row(
    '„{text}“ ist keine Adresse eines Terminals',
    nothing,
    'Geben Sie zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 oder Ähnliches an; oder 192.168.1.20, COM3, /dev/ttyACM0 allein: Dann findet die Kasse das Protokoll heraus.',
  ),
  'terminal.protocolMissing': row(
    'Die Adresse {address} nennt kein Protokoll, und nichts wurde dorthin gesendet',
    nothing,
    'Stellen Sie sicher, dass dort ein Kartenterminal ist, und lassen Sie dann sein Protokoll herausfinden: im Bereich Technik unter „Koppeln“.',
  ),
  'terminal.unpaired': row(
    'Diese Kasse kennt noch kein Terminal',
    nothing,
    'Suchen und koppeln Sie eines im Bereich Technik unter „Koppeln“.',
  ),
  'terminal.other': row(
    'An {address} antwortet ein anderes Terminal: Seriennummer {serial}. Gekoppelt ist diese Kasse mit {paired}',
    nothing,
    'Schließen Sie das gekoppelte an, oder koppeln Sie dieses.',
  ),
  'terminal.simulated': row(
    'Das Terminal {model} ist simuliert, und diese Kasse ist live',
    nothing,
    'Koppeln Sie ein echtes Terminal. Auf einem simulierten üben Sie im Testbetrieb.',
  ),
  'terminal.real': row(
    'Das Terminal {model} fragt seine Bank selbst, und diese Kasse ist im Testbetrieb: Es würde echte Karten belasten',
    nothing,
    'Gehen Sie live. Ist es am Testhost des Herstellers, sagt das die Filialleitung im Bereich Technik.',
  ),
  'simulation.live': row(
    'Diese Kasse ist live: Sie startet kein simuliertes Terminal',
    nothing,
    'Koppeln Sie ein echtes Terminal, oder üben Sie im Testbetrieb.',
  ),
  'testHost.notHere': row(
    'An {counter} kann kein Terminal an einem Testhost sein',
    unchanged,
    'Das gibt es nur bei einem gekoppelten Terminal, das seine Bank selbst fragt, und nur im Testbetrieb.',
  ),
  'terminal.several': row(
    'Hier sind {count} Terminals: {list}',
    unchanged,
    'Nennen Sie das gemeinte mit seiner Adresse.',
  ),
  'terminal.notFound': row(
    'Kein Terminal hat geantwortet: „{why}“',
    unchanged,
    'Schalten Sie das Terminal ein, prüfen Sie das Kabel und suchen Sie dann noch einmal.',
  ),
  'terminal.cannot': row(
    'Das Terminal dieser Kasse genehmigt selbst und kann „{operation}“ nicht',
    nothing,
    'Tun Sie es am Terminal selbst, oder an einer Kasse mit Kartenleser.',
  ),
  'terminal.twin': row(
    'Die Terminals an {counter} und {other} nennen sich gleich: {name}',
    'Nichts wurde getan. Was das eine belastet hat, könnte das andere einem anderen Kunden zurückgeben.',
    'Kassieren Sie an einem von beiden. Lassen Sie dem anderen Terminal eine eigene Seriennummer geben, und koppeln Sie es neu.',
  ),
  'pairing.oneTill': row(
    '{title}-Terminals gehören zu je einer Kasse, und niemand hat das von diesem gesagt',
    'Mit einer zweiten Kasse daran könnte eine Zahlung zweimal gebucht oder die eines anderen Kunden zurückgenommen werden.',
    'Stellen Sie sicher, dass keine andere Kasse darüber kassiert, und setzen Sie vor dem Koppeln das Häkchen dafür.',
  ),
  'pairing.salesOpen': row(
    'Auf Terminal {terminalId} ist noch offen: „{count}, {receipts}“',
    'Diese Zahlungen behalten die Terminal-ID {terminalId}. Die Kasse fragt das Gateway weiter nach ihnen.',
    'Bringen Sie sie zuerst zu Ende. Um trotzdem zu wechseln, setzen Sie vor dem Koppeln das Häkchen dafür.',
  ),
  'tape.malformed': row(
    '{file} ist kein Mitschnitt eines Terminals: Zeile {line}: „{why}“',
    unchanged,
    'Geben Sie die Datei eines Mitschnitts an.',
  ),
  'host.unreachable': row(
    'Das Gateway ist nicht erreichbar: „{why}“',
    'Nicht belastet: Die Anfrage wurde nie gesendet.',
    'Prüfen Sie das Netzwerk. Gespeicherte Zahlungen werden von selbst gesendet.',
  ),
  'host.redirected': row(
    'Das Gateway schickt die Kasse an eine andere Adresse: „{why}“',
    'Nicht belastet: Mit der Anfrage geschah nichts, und sie ging nirgendwo anders hin.',
    'Fragen Sie den Betreiber des Gateways nach der richtigen Adresse und tragen Sie sie ein. Gespeicherte Zahlungen werden von selbst gesendet.',
  ),
  'gateway.plain': row(
    'Die Verbindung zum Gateway unter {url} ist nicht verschlüsselt: Es ist einfaches http über ein Netz, in dem jeder sein kann',
    'Nichts wurde belastet, und weder eine Zahlung noch das Token wird dorthin gesendet.',
    'Ein Techniker trägt in der Konfiguration die https-Adresse des Gateways ein.',
  ),
  'gateway.plainUnallowed': row(
    'Die Verbindung zum Gateway unter {url} ist nicht verschlüsselt: Wer in diesem Netz ist, kann Token und Zahlungen mitlesen',
    'Nichts wurde belastet, und weder eine Zahlung noch das Token wird dorthin gesendet.',
    'Ein Techniker trägt in der Konfiguration die https-Adresse des Gateways ein. Hat es keine, kann die Filialleitung diese Adresse erlauben: Die Leiste über den Seiten führt dorthin.',
  ),
  'gateway.encrypted': row(
    'Niemand muss {url} erlauben: Die Verbindung ist verschlüsselt oder verlässt diesen Rechner nicht',
    nothing,
    'Es ist nichts zu tun.',
  ),
  'host.silent': row(
    'Das Gateway hat keine gültige Antwort gegeben: „{why}“',
    untilAsked,
    'Kassieren Sie nicht noch einmal. Die Kasse fragt das Gateway von selbst.',
  ),
  'counter.unknown': row('Es gibt kein Terminal {counter}', nothing, 'Wählen Sie eines von diesen: {counters}.'),
  'live.already': row(
    'In {folder} gibt es schon eine Kasse, die live ist',
    unchanged,
    'Starten Sie die Kasse neu: Dann öffnet sich die Live-Kasse.',
  ),
  'live.notReady': row(
    'Auf der Liste vor dem Livegang ist noch nicht alles erledigt',
    unchanged,
    'Erledigen Sie, was die Liste sagt, und gehen Sie dann live.',
  ),
  'machine.other': row(
    'Der Datenordner dieser Kasse gehört zu einem anderen Rechner',
    'Nichts wurde belastet, und nichts Wartendes wird von hier gesendet.',
    'Wer die Filiale leitet, sagt, ob der Ordner hierher umgezogen oder eine Kopie ist: Die Leiste über den Seiten führt dorthin. Hat der Rechner der Kasse einen Namen bekommen, braucht jeder Start diesen Namen.',
  ),
  'machine.behind': row(
    'Das Gateway kennt Vorgänge mit der Terminalnummer dieser Kasse, die in ihrem Datenordner fehlen: {count}',
    'Jetzt wurde nichts belastet, und nichts Wartendes wird von hier gesendet.',
    'Ist der Ordner eine ältere Kopie, übernimmt die Filialleitung, was das Gateway kennt: Die Leiste über den Seiten führt dorthin. Verkauft eine andere Kasse unter derselben Nummer, übernehmen Sie nichts: Ein Techniker gibt dieser eine eigene Terminalnummer.',
  ),
  'machine.uncompared': row(
    'Das Gateway hat noch nicht gesagt, was es von dieser Kasse kennt',
    'Nichts ist verloren: Was wartet, wird gesendet, sobald es geantwortet hat.',
    'Prüfen Sie die Leitung und versuchen Sie es noch einmal.',
  ),
  'machine.settled': row(
    'Der Datenordner dieser Kasse gehört schon zu diesem Rechner',
    unchanged,
    'Es ist nichts zu tun.',
  ),
  'machine.terminals': row(
    'Diese Terminalnummern taugen nicht für eine Kopie: „{why}“',
    unchanged,
    'Nehmen Sie die Nummern, die der Zahlungsdienst diesen Terminals gegeben hat, eine für jedes: {counters}.',
  ),
  'training.notHere': row(
    'In der Übung geht das nicht: Es würde echte Geräte erreichen',
    unchanged,
    'Beenden Sie zuerst die Übung.',
  ),
  'printer.none': row(
    'Ein solcher Drucker ist nicht eingerichtet',
    notTheSale,
    'Fügen Sie in den Einstellungen einen Drucker hinzu, oder zeigen Sie den Beleg auf dem Bildschirm.',
  ),
  'printer.address': row(
    '„{text}“ ist keine Adresse eines Druckers',
    unchanged,
    'Geben Sie escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 oder escpos+usb:/dev/usb/lp0 an.',
  ),
  'printer.known': row(
    'Einen Drucker namens {name} gibt es schon',
    unchanged,
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
    'Für den Drucker {name} warten schon {waiting} Druckaufträge',
    `${notTheSale} Dieser wurde nicht angenommen: Drucken Sie ihn später noch einmal.`,
    'Kümmern Sie sich zuerst um den Drucker.',
  ),
  'printer.noDrawer': row(
    'Kein Drucker hat eine Kassenlade',
    undone,
    'Geben Sie in den Einstellungen an, an welchem Drucker die Lade angeschlossen ist.',
  ),
  'printer.picture': row(
    'Das Bild {name} lässt sich nicht drucken: „{why}“',
    unchanged,
    'Nehmen Sie eine PNG-Datei von höchstens 1200 × 1200 Punkten und 512 KB, am besten schwarz-weiß.',
  ),
};
