import type { MailTexts } from './mail-text.ts';

const ignore =
  'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Mail: Ohne den Code geschieht nichts. Geben Sie den Code niemandem weiter.';
const notYou =
  'Wenn Sie das nicht waren, setzen Sie jetzt in der App Ihr Passwort zurück und wenden Sie sich an unsere Hilfe.';

export const de: MailTexts = {
  'sign-up': {
    subject: 'Ihr Code für die Registrierung',
    paragraphs: [
      'Geben Sie diesen Code in der App ein, um Ihr Konto anzulegen:',
      '{code}',
      'Er gilt 15 Minuten.',
      ignore,
    ],
  },
  'sign-up-known': {
    subject: 'Sie haben schon ein Konto',
    paragraphs: [
      'Jemand wollte mit dieser E-Mail-Adresse ein Konto anlegen. Sie haben damit bereits eines.',
      'Melden Sie sich mit Ihrem Passwort an, oder wählen Sie in der App „Passwort vergessen“. Wenn Sie das nicht waren, müssen Sie nichts tun.',
    ],
  },
  'password-reset': {
    subject: 'Ihr Code für ein neues Passwort',
    paragraphs: [
      'Geben Sie diesen Code in der App ein und wählen Sie ein neues Passwort:',
      '{code}',
      'Er gilt 15 Minuten.',
      ignore,
    ],
  },
  'password-changed': {
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: ['Das Passwort Ihres Kontos wurde geändert, und andere Geräte wurden abgemeldet.', notYou],
  },
  'email-change': {
    subject: 'Ihr Code zur Bestätigung dieser E-Mail-Adresse',
    paragraphs: [
      'Geben Sie diesen Code in der App ein, um diese E-Mail-Adresse für Ihr Konto zu verwenden:',
      '{code}',
      'Er gilt 15 Minuten.',
      ignore,
    ],
  },
  'email-change-taken': {
    subject: 'Diese E-Mail-Adresse wird schon verwendet',
    paragraphs: [
      'Jemand wollte diese E-Mail-Adresse für ein anderes Konto verwenden. Sie gehört zu Ihrem Konto und bleibt dort.',
      'Wenn Sie das nicht waren, müssen Sie nichts tun.',
    ],
  },
  'email-changed': {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    // No `notYou`: this address cannot reset the password any more.
    paragraphs: [
      'Ihr Konto hat ab jetzt eine andere E-Mail-Adresse. Melden Sie sich mit der neuen an.',
      'Wenn Sie das nicht waren, wenden Sie sich sofort an unsere Hilfe.',
    ],
  },
  'new-device': {
    subject: 'Anmeldung auf einem neuen Gerät',
    paragraphs: [
      'In Ihrem Konto hat sich ein Gerät angemeldet, das wir noch nicht kennen: {device}.',
      'Wenn Sie das waren, müssen Sie nichts tun.',
      notYou,
    ],
  },
  'second-factor-changed': {
    subject: 'Ihr zweiter Faktor wurde geändert',
    paragraphs: ['Die Authenticator-App Ihres Kontos wurde eingerichtet oder entfernt.', notYou],
  },
  'recovery-codes-issued': {
    subject: 'Neue Wiederherstellungscodes',
    paragraphs: [
      'Für Ihr Konto wurden neue Wiederherstellungscodes ausgestellt. Frühere Codes gelten nicht mehr.',
      'Wenn Sie das waren, müssen Sie nichts tun.',
      notYou,
    ],
  },
  'recovery-code-used': {
    subject: 'Ein Wiederherstellungscode wurde benutzt',
    paragraphs: [
      'Mit Ihrem Passwort und einem Wiederherstellungscode wurde die Authenticator-App Ihres Kontos entfernt. Verbleibende Codes: {left}.',
      'Wenn Sie das waren, richten Sie jetzt eine neue Authenticator-App ein.',
      notYou,
    ],
  },
  'staff-invitation': {
    subject: 'Sie sind eingeladen',
    paragraphs: [
      'Sie sind eingeladen, in der Anwendung für Ärztinnen und Ärzte zu arbeiten. Öffnen Sie sie, wählen Sie „Einladung annehmen“, und geben Sie Ihre E-Mail-Adresse, diesen Code und ein eigenes Passwort ein:',
      '{code}',
      'Er gilt drei Tage.',
      'Wenn Sie nicht wissen, warum Sie diese Mail bekommen, ignorieren Sie sie. Geben Sie den Code niemandem weiter.',
    ],
  },
  'staff-reset': {
    subject: 'Ihr Zugang wurde zurückgesetzt',
    paragraphs: [
      'Eine Administratorin oder ein Administrator hat Ihr Passwort und Ihre Authenticator-App zurückgesetzt. Öffnen Sie die Anwendung für Ärztinnen und Ärzte, wählen Sie „Einladung annehmen“, und geben Sie Ihre E-Mail-Adresse, diesen Code und ein neues Passwort ein:',
      '{code}',
      'Er gilt drei Tage. Bei der nächsten Anmeldung richten Sie eine neue Authenticator-App ein.',
      'Wenn Sie nicht darum gebeten haben, wenden Sie sich an Ihre Administration. Geben Sie den Code niemandem weiter.',
    ],
  },
};
