import type { MailTexts } from './mail-text.ts';

const ignore =
  'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Mail: Ohne den Code geschieht nichts. Geben Sie den Code niemandem weiter.';
const notYou = [
  'Wenn Sie das nicht waren, öffnen Sie diese Seite. Die Schaltfläche dort meldet alle Geräte ab und macht das Passwort ungültig. Wählen Sie danach in der App mit „Passwort vergessen“ ein neues, und wenden Sie sich an unsere Hilfe. Der Link gilt 24 Stunden:',
  '{link}',
];

export const de: MailTexts = {
  ending: 'Diese Mail ist von {sender}. Fragen? {contact}',
  onBoard:
    'Wir haben Ihnen darüber eine Mail geschrieben. Darin steht, was Sie tun, wenn Sie das nicht waren. Wenn Sie die Mail nicht bekommen, wenden Sie sich an unsere Hilfe.',
  kinds: {
    'sign-up': {
      subject: 'Ihr Code für die Registrierung',
      paragraphs: [
        'Geben Sie diesen Code in der App ein, um Ihr Konto anzulegen:',
        '{code}',
        'Er gilt 10 Minuten.',
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
    'address-held': {
      subject: 'Diese E-Mail-Adresse ist in einigen Tagen frei',
      paragraphs: [
        'Jemand wollte diese E-Mail-Adresse für ein Konto verwenden. Bis vor einigen Tagen war sie die Adresse eines anderen Kontos. 7 Tage lang kann dieses Konto sie zurückbekommen, und kein anderes Konto kann sie verwenden.',
        'Wenn dieses Konto Ihres ist und Sie die Adresse nicht geändert haben, verwenden Sie den Link in unserer Mail „Ihre E-Mail-Adresse wurde geändert“.',
      ],
    },
    'password-reset': {
      subject: 'Ihr Code für ein neues Passwort',
      paragraphs: [
        'Geben Sie diesen Code in der App ein und wählen Sie ein neues Passwort:',
        '{code}',
        'Er gilt 10 Minuten.',
        ignore,
      ],
    },
    'password-reset-disabled': {
      subject: 'Ihr Konto ist gesperrt',
      paragraphs: [
        'Jemand hat ein neues Passwort für Ihr Konto angefordert. Das Konto ist gesperrt: Niemand kann sich anmelden, und es gibt keinen Code.',
        'Wenn Sie es wieder benutzen wollen, wenden Sie sich an unsere Hilfe. Wenn Sie das nicht angefordert haben, müssen Sie nichts tun.',
      ],
    },
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: ['Das Passwort Ihres Kontos wurde geändert, und andere Geräte wurden abgemeldet.', ...notYou],
    },
    'email-change': {
      subject: 'Ihr Code zur Bestätigung dieser E-Mail-Adresse',
      paragraphs: [
        'Geben Sie diesen Code in der App ein, um diese E-Mail-Adresse für Ihr Konto zu verwenden:',
        '{code}',
        'Er gilt 10 Minuten.',
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
      // Not `notYou`: without the link this address cannot reset the password any more.
      paragraphs: [
        'Ihr Konto hat ab jetzt eine andere E-Mail-Adresse. Melden Sie sich mit der neuen an.',
        'Wenn Sie das nicht waren, öffnen Sie diese Seite. Die Schaltfläche dort gibt Ihrem Konto diese Adresse zurück, meldet alle Geräte ab und macht das Passwort ungültig. Wählen Sie danach in der App mit „Passwort vergessen“ ein neues, und wenden Sie sich an unsere Hilfe. Der Link gilt 7 Tage:',
        '{link}',
      ],
    },
    'address-restored': {
      subject: 'Ihr Konto hat wieder die frühere Adresse',
      paragraphs: [
        'Jemand hat die Änderung der E-Mail-Adresse Ihres Kontos zurückgenommen, mit einem Link, der an die frühere Adresse ging. Das Konto hat diese Adresse nicht mehr, und alle Geräte wurden abgemeldet.',
        'Wenn Sie das nicht waren, wenden Sie sich sofort an unsere Hilfe.',
      ],
    },
    'account-secured': {
      subject: 'Ihr Konto ist gesichert',
      paragraphs: [
        'Jemand hat mit einem Link aus einer unserer Mails gesagt: „Das war ich nicht“. Alle Geräte wurden abgemeldet, und das Passwort gilt nicht mehr.',
        'Wählen Sie in der App mit „Passwort vergessen“ ein neues Passwort. Wenn die App dann einen Code verlangt, den Sie nicht haben, wenden Sie sich an unsere Hilfe.',
      ],
    },
    'new-device': {
      subject: 'Neue Anmeldung in Ihrem Konto',
      paragraphs: [
        'In Ihrem Konto gab es am {at} eine neue Anmeldung: {device}.',
        'Wenn Sie das waren, müssen Sie nichts tun.',
        ...notYou,
      ],
    },
    'codes-refused': {
      subject: 'Falsche Codes für Ihr Konto',
      paragraphs: [
        'Am {at} hat jemand Ihr Passwort und danach mehrmals falsche Codes der Authenticator-App eingegeben.',
        'Wenn Sie das waren, müssen Sie nichts tun.',
        ...notYou,
      ],
    },
    'session-reused': {
      subject: 'Ein Gerät wurde zur Sicherheit abgemeldet',
      paragraphs: [
        'Die Anmeldung dieses Geräts wurde am {at} noch einmal verwendet, vermutlich als Kopie: {device}. Deshalb ist es jetzt abgemeldet.',
        'Vielleicht hat jemand anders Ihr Konto benutzt. Melden Sie sich auf Ihrem Gerät neu an, und ändern Sie Ihr Passwort.',
        ...notYou,
      ],
    },
    'second-factor-changed': {
      subject: 'Ihr zweiter Faktor wurde geändert',
      paragraphs: ['Die Authenticator-App Ihres Kontos wurde eingerichtet oder entfernt.', ...notYou],
    },
    'recovery-codes-issued': {
      subject: 'Neue Wiederherstellungscodes',
      paragraphs: [
        'Für Ihr Konto wurden neue Wiederherstellungscodes ausgestellt. Frühere Codes gelten nicht mehr.',
        'Wenn Sie das waren, müssen Sie nichts tun.',
        ...notYou,
        'Lassen Sie dann in der App neue Wiederherstellungscodes ausstellen: Bis dahin gelten diese.',
      ],
    },
    'rights-given': {
      subject: 'Mit Ihrem Konto wurden Rechte vergeben',
      paragraphs: [
        'Mit Ihrem Konto wurde jemand eingeladen oder freigeschaltet, oder jemand bekam eine Rolle. Betroffen ist {member}. Rollen: {roles}.',
        'Wenn Sie das waren, müssen Sie nichts tun.',
        ...notYou,
        'Sagen Sie es danach einem anderen Administrator: Er kann das Konto sperren, das die Rechte bekam.',
      ],
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode wurde benutzt',
      paragraphs: [
        'Mit Ihrem Passwort und einem Wiederherstellungscode wurde die Authenticator-App Ihres Kontos entfernt. Verbleibende Codes: {left}.',
        'Wenn Sie das waren, richten Sie jetzt eine neue Authenticator-App ein.',
        ...notYou,
      ],
    },
    'data-shared': {
      subject: 'Sie teilen Ihre Daten mit Ihrer Praxis',
      paragraphs: [
        'Am {at} wurde Ihre Einwilligung festgehalten: Wer Sie in Ihrer Praxis behandelt, darf Ihre Daten sehen.',
        'Sie können sie jederzeit in der App widerrufen. Die App zeigt auch, wer Ihre Daten wann angesehen hat.',
        'Wenn Sie das nicht waren, widerrufen Sie die Einwilligung in der App, ändern Sie Ihr Passwort und wenden Sie sich an unsere Hilfe.',
      ],
    },
    'study-joined': {
      subject: 'Sie nehmen an einer Studie teil',
      paragraphs: [
        'Am {at} wurde festgehalten, dass Sie an einer Studie teilnehmen: Deren Forscher können Ihre Daten bekommen, ohne Ihren Namen.',
        'Die App zeigt Ihre Studien. Sie können dort jede jederzeit verlassen.',
        'Wenn Sie das nicht waren, verlassen Sie die Studie in der App, ändern Sie Ihr Passwort und wenden Sie sich an unsere Hilfe.',
      ],
    },
    'deletion-requested': {
      subject: 'Ihr Konto wird gelöscht',
      paragraphs: [
        'In der App wurde die Löschung Ihres Kontos verlangt, und alle Geräte wurden abgemeldet.',
        'Bis {until} können Sie sich anmelden und die Löschung zurücknehmen. Danach werden das Konto und seine Daten gelöscht.',
        'Wenn Sie das nicht waren, melden Sie sich jetzt an, nehmen Sie die Löschung zurück und ändern Sie Ihr Passwort. Wenn Sie sich nicht anmelden können, wenden Sie sich vorher an unsere Hilfe.',
      ],
    },
    'deletion-requested-for-you': {
      subject: 'Ihr Konto wird gelöscht',
      paragraphs: [
        'Jemand von uns hat in Ihrem Namen die Löschung Ihres Kontos verlangt, und alle Geräte wurden abgemeldet.',
        'Bis {until} können Sie sich anmelden und die Löschung zurücknehmen. Danach werden das Konto und seine Daten gelöscht.',
        'Wenn Sie das nicht wollten, melden Sie sich an und nehmen Sie die Löschung zurück, oder wenden Sie sich vorher an unsere Hilfe.',
      ],
    },
    'deletion-taken-back': {
      subject: 'Ihr Konto bleibt bestehen',
      paragraphs: [
        'Die Löschung Ihres Kontos wurde zurückgenommen. Einwilligungen, die mit ihr endeten, bleiben beendet.',
        ...notYou,
      ],
    },
    'account-disabled': {
      subject: 'Ihr Konto wurde gesperrt',
      paragraphs: [
        'Die Administration hat Ihr Konto gesperrt, und alle Geräte wurden abgemeldet. Niemand kann sich anmelden; Ihre Daten bleiben erhalten.',
        'Wenn Sie nicht wissen, warum, wenden Sie sich an unsere Hilfe.',
      ],
    },
    'account-enabled': {
      subject: 'Ihr Konto ist wieder offen',
      paragraphs: [
        'Die Administration hat Ihr Konto wieder geöffnet. Sie können sich mit Ihrem Passwort anmelden.',
        'Wenn Sie nicht darum gebeten haben, wenden Sie sich an unsere Hilfe.',
      ],
    },
    'staff-invitation': {
      subject: 'Sie sind eingeladen',
      paragraphs: [
        'Sie sind eingeladen, in der Anwendung für Ärztinnen und Ärzte zu arbeiten.',
        'Klinik: {clinic}',
        'Wer Sie einlädt: {inviter}',
        'Öffnen Sie diesen Link:',
        '{link}',
        'Geben Sie Ihre E-Mail-Adresse, einen Code und ein eigenes Passwort ein. Den Code sagt Ihnen eine Administratorin oder ein Administrator, am Telefon oder persönlich.',
        'Link und Code gelten 24 Stunden. Danach bitten Sie die Administration um neue.',
        'Wenn Sie nicht wissen, warum Sie diese Mail bekommen, ignorieren Sie sie. Geben Sie Link und Code niemandem weiter.',
      ],
    },
    'staff-reset': {
      subject: 'Ihr Zugang wurde zurückgesetzt',
      paragraphs: [
        'Eine Administratorin oder ein Administrator hat Ihr Passwort und Ihre Authenticator-App zurückgesetzt.',
        'Wer das war: {inviter}',
        'Öffnen Sie diesen Link:',
        '{link}',
        'Geben Sie Ihre E-Mail-Adresse, einen Code und ein neues Passwort ein. Den Code sagt Ihnen eine Administratorin oder ein Administrator, am Telefon oder persönlich.',
        'Link und Code gelten 24 Stunden. Bei der nächsten Anmeldung richten Sie eine neue Authenticator-App ein.',
        'Wenn Sie nicht darum gebeten haben, wenden Sie sich an Ihre Administration. Geben Sie Link und Code niemandem weiter.',
      ],
    },
  },
};
