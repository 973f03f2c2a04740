/** German. */
import type { WidgetTranslation } from '../languages.ts';

export const de: WidgetTranslation = {
  cardNumber: 'Kartennummer',
  expiryDate: 'Gültig bis',
  expiryFormat: 'MM/JJ',
  cvv: 'Kartenprüfnummer',
  cvvHint: 'Die {digits} Ziffern auf der Rückseite der Karte',
  cvvHintFront: 'Die {digits} Ziffern auf der Vorderseite der Karte',
  cardHolder: 'Name auf der Karte',
  cardBrand: 'Kartenmarke',
  card: 'Karte',
  cardEnding: '{brand} mit den Endziffern {digits}',
  expires: 'Gültig bis {date}',
  accountHolder: 'Kontoinhaber',
  iban: 'IBAN',
  accountId: 'E-Mail-Adresse oder Benutzername bei {brand}',
  giftCardNumber: 'Nummer der Geschenkkarte',
  giftCardPin: 'PIN',
  directDebit: 'Lastschrift',
  prepayment: 'Überweisung',
  giftCard: 'Geschenkkarte',
  paymentMethod: 'Zahlungsart',
  otherCard: 'Andere Karte',
  saveCard: 'Diese Karte für das nächste Mal merken',
  saveAccount: 'Dieses Konto für das nächste Mal merken',
  billingAddress: 'Rechnungsadresse',
  street: 'Straße und Hausnummer',
  city: 'Ort',
  postcode: 'Postleitzahl',
  country: 'Land',
  pay: '{amount} bezahlen',
  payNow: 'Jetzt bezahlen',
  payWith: 'Mit {brand} bezahlen',
  save: 'Speichern',
  review: 'Übersicht',
  back: 'Zurück',
  processing: 'Bitte warten. Ihre Zahlung wird verarbeitet.',
  loading: 'Wird geladen',
  secure: 'Verschlüsselt. Ihre Angaben gehen direkt an den Zahlungsdienst.',
  redirectHint: 'Weiter geht es bei {brand}; danach kommen Sie hierher zurück.',
  mandate: 'Mit der Zahlung erlauben Sie {shop}, diesen Betrag einmalig von Ihrem Konto einzuziehen.',
  cardNumberError: 'Bitte prüfen Sie die Kartennummer',
  cardBrandError: '{brand} wird hier nicht angenommen',
  expiryError: 'Bitte Monat und Jahr eingeben, zum Beispiel 05/30',
  expiredError: 'Diese Karte ist abgelaufen',
  cvvError: 'Bitte die {digits} Ziffern eingeben',
  holderError: 'Bitte den Namen so eingeben, wie er auf der Karte steht',
  accountHolderError: 'Bitte den Namen des Kontoinhabers eingeben',
  ibanError: 'Bitte prüfen Sie die IBAN',
  accountIdError: 'Bitte E-Mail-Adresse oder Benutzernamen eingeben',
  giftCardNumberError: 'Bitte prüfen Sie die Nummer',
  giftCardPinError: 'Bitte die PIN eingeben',
  fieldError: 'Bitte dieses Feld ausfüllen',
  popupOpen: 'Schließen Sie die Zahlung in dem Fenster ab, das sich geöffnet hat.',
  popupShow: 'Fenster anzeigen',
  popupCancel: 'Andere Zahlungsart wählen',
  popupClosed:
    'Das Zahlungsfenster wurde geschlossen, es wurde nichts bezahlt. Versuchen Sie es noch einmal oder wählen ' +
    'Sie eine andere Zahlungsart.',
  expired:
    'Diese Zahlungsseite ist abgelaufen. Es wurde nichts abgebucht. Bitte gehen Sie zurück zum Shop und beginnen ' +
    'Sie neu.',
  notFound: 'Diese Zahlungsseite gibt es nicht. Bitte gehen Sie zurück zum Shop und beginnen Sie neu.',
  alreadyPaid: 'Diese Bestellung ist bereits bezahlt. Sie werden zum Shop zurückgeleitet.',
  noMethods: 'Auf diesem Gerät kann keine der Zahlungsarten dieses Shops genutzt werden.',
  offline: 'Keine Verbindung zum Zahlungsdienst. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  uncertain:
    'Die Verbindung ist abgebrochen. Noch ist nicht bekannt, ob Sie bezahlt haben. Bitte zahlen Sie nicht noch einmal.',
  checkAgain: 'Erneut prüfen',
  declined:
    'Ihre Bank hat die Zahlung abgelehnt. Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte ' +
    'oder Zahlungsart.',
  declinedFunds:
    'Auf diesem Konto ist nicht genug Geld. Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Zahlungsart.',
  declinedDetails:
    'Die Bank hat diese Angaben nicht angenommen. Es wurde nichts abgebucht. Bitte prüfen Sie sie und versuchen ' +
    'Sie es noch einmal.',
  declinedExpired: 'Diese Karte ist abgelaufen. Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.',
  declinedCvv:
    'Die Kartenprüfnummer ist falsch. Es wurde nichts abgebucht. Bitte prüfen Sie sie und versuchen Sie es noch einmal.',
  declinedSecurity:
    'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Es wurde nichts abgebucht. Versuchen Sie es noch ' +
    'einmal oder mit einer anderen Karte.',
  declinedCancelled: 'Die Zahlung wurde abgebrochen. Es wurde nichts abgebucht.',
  tryLater:
    'Die Zahlung war gerade nicht möglich. Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
};
