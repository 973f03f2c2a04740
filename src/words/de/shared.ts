/** German words that every screen uses. `{name}` is filled in. */
import type { Words } from '../tables.ts';

export const shared: Words['shared'] = {
  tryAgain: 'Noch einmal versuchen',
  cancel: 'Abbrechen',
  back: 'Zurück',
  close: 'Schließen',
  done: 'Fertig',
  save: 'Speichern',
  loading: 'Wird geladen …',
  nothingHere: 'Hier ist noch nichts.',
  /** Proved never to have been made: of what would have charged a card, and of all else. */
  notCharged: 'Nicht belastet',
  notDone: 'Nicht ausgeführt',
  states: {
    idle: 'Bereit',
    busy: 'Läuft',
    approved: 'Genehmigt',
    declined: 'Abgelehnt',
    unknown: 'Unklar',
    offline: 'Offline',
    person: 'Bitte prüfen',
  },
  nobody: 'Ohne Namen',
  menu: 'Menü von {name}',
  goTo: 'Wechseln zu',
  screens: { cashier: 'Kasse', manager: 'Filialleitung', technician: 'Technik' },
  language: 'Sprache',
  scheme: 'Hell oder dunkel',
  schemes: { light: 'Hell', dark: 'Dunkel', auto: 'Wie das Gerät' },
  online: 'Verbunden',
  awayTitle: 'Das Kassenprogramm antwortet nicht',
  awayMoney:
    'Eine laufende Zahlung geht von selbst weiter und geht nicht verloren. Diese Seite verbindet sich von selbst neu.',
  modes: {
    test: {
      name: 'Testbetrieb',
      why: 'es fließt kein Geld',
      mark: 'TEST',
    },
    training: {
      name: 'Übung',
      why: 'keine Karte wird belastet',
      mark: 'ÜBUNG',
    },
  },
  goLive: 'Live gehen',
  held: {
    other: 'Der Datenordner gehört zu einem anderen Rechner: Hier wird nichts verkauft.',
    behind:
      'Das Gateway kennt Vorgänge, die hier fehlen: Verkauft wird erst, wenn die Filialleitung das angesehen hat.',
    plain: 'Die Verbindung zum Gateway ist nicht verschlüsselt: Es wird nichts verkauft und nichts gesendet.',
    plainUsed: 'Zahlungen gehen unverschlüsselt an das Gateway. Wer in diesem Netz ist, kann sie mitlesen.',
    look: 'Ansehen',
  },
  useSimulated: 'Ein simuliertes Terminal benutzen',
  useSimulatedWhy: 'Zum Ausprobieren auf einem simulierten: Keine Karte wird belastet.',
  setUpError: 'Einrichtungsfehler',
  trainingBegin: 'Übung beginnen',
  trainingEnd: 'Übung beenden',
  crashTitle: 'Diese Ansicht funktioniert nicht mehr',
  crashMoney: 'Dadurch geht kein Geld verloren. Eine laufende Zahlung geht von selbst weiter.',
  crashNext: 'Zeigen Sie die Ansicht noch einmal an. Passiert es wieder, sagen Sie dem Support, was Sie getan haben.',
  showAgain: 'Noch einmal anzeigen',
};
