/** What the first page of a personal export says, for a reader who is neither a lawyer nor a developer. */

const en = {
  title: 'A copy of your data',
  intro:
    'You asked for a copy of the data that we hold about you. It is in the files beside this page. You need nothing from us to read them, and you may pass them on to another service.',
  made: 'Made',
  asked: 'Asked for',
  person: 'Made for',
  personHint: 'The random number that stands for you in our records',
  times: 'Times on this page are in',
  timesInFiles: 'Times in the data files are in UTC, the world time, which the letter Z at the end says.',
  meanwhile: 'What you entered or changed while the copy was being made may be missing.',
  files: 'What is in the files',
  filesHint:
    'The files that end in .html open in any browser. Those that end in .json are plain text: any editor shows them, and other programs can read them. Each holds lists of entries by name.',
  list: 'List',
  entries: (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`,
  what: 'What it holds',
  why: 'What it is for',
  howLong: 'How long it is kept',
  readers: 'Who can see it',
  empty: 'Nothing is stored about you here.',
  pages: 'Further pages and files',
  leftOut: 'What is not in this copy',
  leftOutItems: [
    'Technical values that protect your account or run the service: digests of passwords, codes and push tokens, addresses of devices at push services, and counters.',
    'Your password: we do not have it, only a value by which it can be checked.',
    'What is about other people, such as who on our staff wrote a message to you. Internal notes are given on request, after a review.',
  ],
  recipients: 'Who gets your data',
  recipientsText:
    'The lists above say who can see what. The data are stored and processed for us at Amazon Web Services, encrypted. Where you registered a phone for notifications, Apple or Google deliver them and learn that there is one, without any text about your health. Nobody else gets your data unless you agreed to it: see the page on your consents.',
  rights: 'Your rights',
  rightsItems: [
    'You may have what is wrong corrected (GDPR Art. 16).',
    'You may have your account and your data deleted, in the app under your account (Art. 17). What the law makes us keep is named above with its term.',
    'You may demand that data are only stored and no longer used (Art. 18), and object to their use (Art. 21).',
    'You may take this copy to another service (Art. 20).',
    'You may take back a consent at any time, for the future, in the app (Art. 7 (3)).',
    'You may complain to a data protection authority, for example that of the place where you live (Art. 77).',
  ],
  contact: 'Whom to ask, the data protection officer included, is in the privacy policy in the app.',
  careful:
    'Keep these files safe: they say much about you. The address from which you loaded them stops working after 15 minutes, and our copy is deleted after seven days.',
};

export type IndexLabels = typeof en;

const de: IndexLabels = {
  title: 'Eine Kopie Ihrer Daten',
  intro:
    'Sie haben eine Kopie der Daten verlangt, die wir über Sie gespeichert haben. Sie steht in den Dateien neben dieser Seite. Zum Lesen brauchen Sie nichts von uns, und Sie dürfen sie an einen anderen Dienst weitergeben.',
  made: 'Erstellt',
  asked: 'Verlangt',
  person: 'Erstellt für',
  personHint: 'Die zufällige Kennung, die in unseren Daten für Sie steht',
  times: 'Zeiten auf dieser Seite sind in',
  timesInFiles: 'Zeiten in den Datendateien sind in UTC, der Weltzeit; das sagt der Buchstabe Z am Ende.',
  meanwhile: 'Was Sie eingegeben oder geändert haben, während die Kopie entstand, kann fehlen.',
  files: 'Was in den Dateien steht',
  filesHint:
    'Dateien, die auf .html enden, öffnet jeder Browser. Dateien, die auf .json enden, sind einfacher Text: Jeder Editor zeigt sie, und andere Programme können sie lesen. Jede enthält Listen von Einträgen mit Namen.',
  list: 'Liste',
  entries: (count: number) => `${count} ${count === 1 ? 'Eintrag' : 'Einträge'}`,
  what: 'Was sie enthält',
  why: 'Wozu wir es brauchen',
  howLong: 'Wie lange es bleibt',
  readers: 'Wer es sehen kann',
  empty: 'Hier ist nichts über Sie gespeichert.',
  pages: 'Weitere Seiten und Dateien',
  leftOut: 'Was nicht in dieser Kopie steht',
  leftOutItems: [
    'Technische Werte, die Ihr Konto schützen oder den Dienst betreiben: Prüfwerte von Passwörtern, Codes und Push-Tokens, Adressen von Geräten bei Push-Diensten, und Zähler.',
    'Ihr Passwort: Wir haben es nicht, sondern nur einen Wert, mit dem es sich prüfen lässt.',
    'Was andere Menschen betrifft, etwa wer von uns Ihnen eine Nachricht geschrieben hat. Interne Notizen geben wir auf Anfrage heraus, nach einer Prüfung.',
  ],
  recipients: 'Wer Ihre Daten bekommt',
  recipientsText:
    'Wer was sehen kann, sagen die Listen oben. Gespeichert und verarbeitet werden die Daten für uns bei Amazon Web Services, verschlüsselt. Wenn Sie ein Telefon für Mitteilungen angemeldet haben, stellen Apple oder Google diese zu und erfahren, dass es eine gibt, aber keinen Text über Ihre Gesundheit. Sonst bekommt niemand Ihre Daten, außer Sie haben zugestimmt: siehe die Seite über Ihre Einwilligungen.',
  rights: 'Ihre Rechte',
  rightsItems: [
    'Sie können berichtigen lassen, was falsch ist (DSGVO Art. 16).',
    'Sie können Ihr Konto und Ihre Daten löschen lassen, in der App unter Ihrem Konto (Art. 17). Was wir nach dem Gesetz aufbewahren müssen, steht oben mit seiner Frist.',
    'Sie können verlangen, dass Daten nur noch gespeichert und nicht mehr verwendet werden (Art. 18), und ihrer Verwendung widersprechen (Art. 21).',
    'Sie können diese Kopie zu einem anderen Dienst mitnehmen (Art. 20).',
    'Sie können eine Einwilligung jederzeit für die Zukunft widerrufen, in der App (Art. 7 Abs. 3).',
    'Sie können sich bei einer Datenschutzbehörde beschweren, zum Beispiel an Ihrem Wohnort (Art. 77).',
  ],
  contact:
    'An wen Sie sich wenden können, auch an die Datenschutzbeauftragten, steht in der Datenschutzerklärung in der App.',
  careful:
    'Bewahren Sie diese Dateien sicher auf: Sie sagen viel über Sie. Die Adresse, unter der Sie sie geladen haben, gilt nur 15 Minuten, und unsere Kopie wird nach sieben Tagen gelöscht.',
};

export const indexLabels = { en, de } as const;
