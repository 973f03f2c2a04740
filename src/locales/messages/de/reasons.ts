/** How a sale ended, in German. `{why}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { ReasonsIn } from '../en/reasons.ts';

const called = 'Dauert das länger als 15 Minuten, bittet die Kasse jemanden, es zu prüfen.';
const receipt = 'Geben Sie den Beleg mit.';
const otherCard = 'Bitten Sie um eine andere Karte.';
const again = 'Beginnen Sie noch einmal.';
const manager = 'Sagen Sie der Filialleitung Bescheid.';
const leaveIn = 'Beginnen Sie noch einmal und lassen Sie die Karte stecken.';
const whenReady = 'Beginnen Sie noch einmal, wenn alles bereit ist.';
const goodsLeft = 'Nicht belastet, obwohl die Ware schon weg ist.';

export const reasons = translator<ReasonsIn>()('de', {
  approved: row('Genehmigt', receipt),
  refunded: row('Erstattet', 'Das Geld geht auf die Karte zurück.', receipt),
  held: row(
    'Betrag reserviert',
    'Auf der Karte reserviert, noch nicht belastet.',
    'Geben Sie den Beleg mit. Buchen Sie mit dieser Belegnummer ab, sobald der Betrag bekannt ist.',
  ),
  credited: row('Gutgeschrieben', 'Das Geld geht auf die Karte.', receipt),
  voided: row('Storniert', 'Der Kunde wird nicht belastet.', receipt),
  heldMore: row('Reservierung erhöht', 'Auf der Karte reserviert, noch nicht belastet.', receipt),
  completed: row('Abgebucht', receipt),
  released: row(
    'Reservierung freigegeben',
    'Auf der Karte ist nichts mehr reserviert, und nichts wird belastet.',
    receipt,
  ),
  stored: row(
    'Gespeichert, bis die Verbindung wieder da ist',
    'Die Kasse sendet es der Bank, sobald die Verbindung wieder da ist.',
    'Geben Sie den Beleg mit. Die Kasse sendet es automatisch.',
  ),
  storedRefused: row(
    'Gespeichert, dann von der Bank abgelehnt',
    'Nicht ausgeführt: Die ursprüngliche Zahlung ist unverändert.',
    manager,
  ),
  nothingToFollow: row(
    'Es ist nichts mehr zu tun: {why}',
    'Es floss kein Geld: Die ursprüngliche Zahlung kam nie zustande.',
    'Sehen Sie den Beleg der ursprünglichen Zahlung an.',
  ),
  voidedBeforeSending: row(
    'Storniert, bevor es an die Bank ging',
    'Nicht belastet: Es wird nicht an die Bank gesendet.',
    receipt,
  ),
  approvedOffline: row('Offline genehmigt', 'Wird belastet, sobald die Verbindung wieder da ist.', receipt),
  takenOffline: row(
    'Offline erfasst, noch nicht genehmigt',
    'Wird belastet, sobald die Verbindung wieder da ist und die Bank es genehmigt.',
    receipt,
  ),
  holdTakenOffline: row(
    'Offline erfasst, noch nicht genehmigt',
    'Wird auf der Karte reserviert, sobald die Verbindung wieder da ist und die Bank es genehmigt.',
    receipt,
  ),
  heldOffline: row('Offline genehmigt', 'Wird auf der Karte reserviert, sobald die Verbindung wieder da ist.', receipt),
  declinedOnForwarding: row('Offline erfasst, dann von der Bank abgelehnt', goodsLeft, manager),
  declinedByHost: row('Abgelehnt', otherCard),
  refusedByHost: row(
    'Das Gateway hat die Anfrage zurückgewiesen: {why}',
    'Lassen Sie die Einstellungen der Kasse prüfen.',
  ),
  testAnswer: row(
    'Diese Kasse ist live, aber ihr Gateway hat im Testbetrieb geantwortet',
    'Nehmen Sie hier keine Karten mehr an. Die Filialleitung muss Adresse und Kanal des Gateways richtigstellen.',
  ),
  liveAnswer: row(
    'Diese Kasse ist im Testbetrieb, aber ihr Gateway ist live',
    'Nehmen Sie hier keine Karten mehr an. Die Filialleitung kann die Kasse live schalten oder ihr einen Testkanal geben.',
  ),
  declinedByChip: row('Von der Karte abgelehnt', otherCard),
  chipRefusedApproval: row('Die Bank hat genehmigt, dann hat die Karte abgelehnt', otherCard),
  cardPulled: row('Die Karte wurde zu früh herausgezogen', leaveIn),
  cardPulledAfterApproval: row(
    'Die Karte wurde herausgezogen, oder die Verbindung zum Terminal brach ab, bevor die Zahlung fertig war',
    leaveIn,
  ),
  cancelledByTill: row('An der Kasse abgebrochen', whenReady),
  cancelledAfterApproval: row('An der Kasse abgebrochen', whenReady),
  cancelledByCustomer: row('Vom Kunden abgebrochen', 'Fragen Sie den Kunden, wie es weitergehen soll.'),
  pinCancelled: row('Es wurde keine PIN eingegeben', 'Beginnen Sie noch einmal, oder bitten Sie um eine andere Karte.'),
  timedOut: row(
    'Es wurde nicht rechtzeitig eine Karte vorgelegt',
    'Beginnen Sie noch einmal, wenn der Kunde bereit ist.',
  ),
  cardUnsupported: row('Diese Karte wird nicht unterstützt', otherCard),
  cardUnreadable: row(
    'Die Karte kann nicht gelesen werden',
    'Versuchen Sie es noch einmal, oder bitten Sie um eine andere Karte.',
  ),
  terminalFailed: row('Fehler am Terminal: {why}', 'Prüfen Sie das Terminal und beginnen Sie noch einmal.'),
  offlineRefused: row(
    'Das Gateway ist nicht erreichbar, und diese Zahlung kann nicht offline erfasst werden: {why}',
    'Versuchen Sie es noch einmal, wenn die Verbindung wieder da ist, oder nehmen Sie Bargeld.',
  ),
  unanswered: row(
    'Das Gateway hat nicht geantwortet',
    `Noch unklar. Die Kasse fragt nach und storniert die Zahlung, falls sie belastet wurde. ${called}`,
    'Kassieren Sie nicht noch einmal, bis diese Zahlung geklärt ist.',
  ),
  reversed: row('Das Gateway hat nicht rechtzeitig geantwortet; seine Genehmigung wurde storniert', again),
  neverArrived: row('Die Anfrage kam nie beim Gateway an', again),
  restarted: row('Die Kasse wurde neu gestartet, bevor die Zahlung fertig war', again),
  restartedAfterApproval: row('Die Kasse wurde neu gestartet, bevor die Zahlung fertig war', again),
  declinedAtTerminal: row('Am Terminal abgelehnt', otherCard),
  notBegunAtTerminal: row(
    'Das Terminal hat die Zahlung nicht begonnen: {why}',
    'Sehen Sie auf das Terminal und beginnen Sie noch einmal.',
  ),
  neverMade: row('Die Verbindung zum Terminal brach ab; es meldet jetzt, dass es keine Zahlung ausgeführt hat', again),
  unansweredAtTerminal: row(
    'Die Verbindung zum Terminal brach ab, bevor es das Ergebnis meldete',
    `Noch unklar. Die Kasse fragt das Terminal vor der nächsten Zahlung. ${called}`,
    'Kassieren Sie nicht noch einmal. Lesen Sie das Ergebnis am Terminal ab und schließen Sie es wieder an.',
  ),
  unclearAtTerminal: row(
    'Das Terminal weiß nicht, wie die Zahlung ausging: {why}',
    'Unklar. Der Kunde kann belastet worden sein.',
    'Suchen Sie die Zahlung im Journal des Terminals, bevor Sie noch einmal kassieren, und sagen Sie der Filialleitung Bescheid.',
  ),
  approvedOtherAmount: row(
    'Das Terminal hat einen anderen Betrag genehmigt',
    `Nicht belastet: Die Kasse storniert den genehmigten Betrag. ${called}`,
    'Lassen Sie das Terminal prüfen, bevor Sie noch einmal beginnen.',
  ),
  refundedOtherAmount: row(
    'Das Terminal hat einen anderen Betrag erstattet',
    'Erstattet wurde der Betrag auf dem Beleg des Terminals, nicht dieser.',
    manager,
  ),
  reversedAtTerminal: row('Vom Terminal storniert', 'Der Kunde ist nicht belastet.', receipt),
  reversalDeclined: row(
    'Das Terminal hat seine Zahlung nicht storniert: {why}',
    'Beginnen Sie die Erstattung noch einmal: Sie läuft dann mit der Karte des Kunden am Terminal.',
  ),
  otherTerminal: row(
    'Die Zahlung lief über ein anderes Terminal, und nur dieses kann sie stornieren',
    'Beginnen Sie die Erstattung noch einmal: Sie läuft dann mit der Karte des Kunden an diesem Terminal.',
  ),
  reversalRefused: row(
    'Das Terminal hat die Zahlung genehmigt, aber nicht storniert: {why}',
    'Erstatten Sie diesen Beleg mit der Karte des Kunden.',
  ),
  personSaidDone: row('Von einer Person geprüft: Sie kam zustande', 'Das Geld floss wie gewünscht.', receipt),
  approvedLate: row(
    'Die Bank hat spät genehmigt, nachdem die Zahlung schon als nicht gesendet galt',
    'Sagen Sie der Filialleitung Bescheid, wenn der Kunde fragt.',
  ),
  cardDataExpired: row(
    'Offline erfasst und nicht innerhalb von {why} gesendet: Die Kartendaten mussten vernichtet werden',
    goodsLeft,
    'Sagen Sie der Filialleitung Bescheid: Das ist ein Verlust.',
  ),
  newerVersion: row(
    'Eine neuere Version dieses Programms hat etwas geschrieben, was diese nicht lesen kann: {why}',
    'Diese Version weiß nicht, wie die Zahlung ausging. Sie ändert nichts daran und sendet nichts davon.',
    'Starten Sie die neuere Version: Sie führt diese Zahlung weiter. Alle anderen Zahlungen gehen hier weiter.',
  ),
  personSaidNot: row('Von einer Person geprüft: Sie kam nicht zustande', again),
});
